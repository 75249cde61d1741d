package io.ontologia.nameservice.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernPayload;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.EntityType;
import io.ontologia.nameservice.NameQuery;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.NewRecord;
import io.ontologia.nameservice.PushOutcome;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What an item holds, and how many requests calls cost. */
class DynamoItemsIT extends DynamoItemsSuite {
    @Test
    void an_item_has_the_sixteen_attributes_of_the_schema() {
        names.create(NewRecord.ledger(DB));

        Map<String, AttributeValue> item = item("mydb:main");

        assertThat(item)
                .containsKeys(
                        "pk",
                        "v",
                        "type",
                        "name",
                        "branch",
                        "deps",
                        "created_at",
                        "retracted",
                        "head_v",
                        "head",
                        "index_v",
                        "index",
                        "status_v",
                        "status",
                        "config_v",
                        "config")
                .containsOnlyKeys(
                        "pk",
                        "v",
                        "type",
                        "name",
                        "branch",
                        "deps",
                        "created_at",
                        "retracted",
                        "head_v",
                        "head",
                        "index_v",
                        "index",
                        "status_v",
                        "status",
                        "config_v",
                        "config",
                        "status_state",
                        "created_w");
        assertThat(attribute("head").nul()).isTrue();
        assertThat(attribute("head_v").n()).isEqualTo("0");
        assertThat(attribute("status").m()).containsEntry("state", AttributeValue.fromS("ready"));
    }

    @Test
    void the_attribute_of_the_state_index_follows_the_state() {
        names.create(NewRecord.ledger(DB));
        push(Concern.STATUS, ConcernValue.of(2, Map.of("state", "indexing")));
        assertThat(attribute("status_state").s()).isEqualTo("indexing");

        push(Concern.STATUS, ConcernValue.of(3, Map.of("state", "")));
        assertThat(item("mydb:main")).doesNotContainKey("status_state");

        names.retract(DB, "");
        assertThat(attribute("status_state").s()).isEqualTo("retracted");
    }

    @ParameterizedTest
    @EnumSource(Concern.class)
    void a_lookup_is_one_read_and_a_push_one_conditional_update(Concern concern) {
        names.create(NewRecord.ledger(DB));
        assertThat(network.operations()).containsExactly("PutItem");

        ConcernValue current = names.lookup(DB).orElseThrow().concern(concern);
        assertThat(network.operations()).containsExactly("GetItem");

        names.concern(DB, concern);
        names.watermarks(DB);
        assertThat(network.operations()).containsExactly("GetItem", "GetItem");

        names.push(DB, concern, current, ConcernValue.of(5, Map.of("state", "ready")));
        assertThat(network.operations()).containsExactly("UpdateItem");
    }

    @Test
    void a_conflict_and_its_actual_value_are_one_request() {
        names.create(NewRecord.ledger(DB));
        push(Concern.CONFIG, ConcernValue.of(1, Map.of("x", 1)));
        network.operations();

        PushOutcome outcome = names.push(DB, Concern.CONFIG, ConcernValue.unborn(), ConcernValue.of(2, Map.of("x", 2)));

        assertThat(outcome).isEqualTo(new PushOutcome.Conflict(ConcernValue.of(1, Map.of("x", 1))));
        assertThat(network.operations()).containsExactly("UpdateItem");
    }

    @Test
    void a_listing_is_one_scan_a_page_or_one_query_and_the_records() {
        for (int i = 0; i < 5; i++) {
            names.create(NewRecord.ledger(Alias.parse("db" + i)));
        }
        network.operations();

        names.list(NameQuery.all());
        assertThat(network.operations()).containsExactly("Scan");

        FaultyDynamo other = new FaultyDynamo();
        try (Nameservice indexed = other.open(
                io.ontologia.nameservice.dynamodb.internal.TableLocation.parse(dynamo.uri() + "&listing=indexed"))) {
            assertThat(indexed.list(NameQuery.all().type(EntityType.LEDGER)).records())
                    .hasSize(5);
        }
        assertThat(other.operations()).containsExactly("Query", "BatchGetItem");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"x\":1e300,\"y\":-1e-300,\"z\":1e100,\"w\":5e-324}",
                "{\"x\":9007199254740993,\"y\":18446744073709551617}",
                "{\"x\":123456789012345678901234567890123456789012345678901234567890}",
                "{\"$json\":\"1\"}",
                "{\"a\":{\"$json\":[1]},\"b\":{\"$json\":\"{}\",\"c\":1}}",
                "{\"\":1,\"a\":{\"\":{}}}",
                "{\"a\":\"\",\"b\":[\"\"]}"
            })
    void what_dynamodb_cannot_hold_survives_the_round_trip(String json) {
        names.create(NewRecord.ledger(DB));
        ConcernValue value = ConcernValue.of(1, ConcernPayload.parse(json));

        push(Concern.CONFIG, value);

        assertThat(names.concern(DB, Concern.CONFIG)).contains(value);
        push(Concern.CONFIG, ConcernValue.of(2, Map.of()));
    }

    @Test
    void deep_payloads_survive_the_round_trip() {
        names.create(NewRecord.ledger(DB));
        ConcernValue value = ConcernValue.of(1, ConcernPayload.parse("{\"a\":".repeat(90) + "[1.5]" + "}".repeat(90)));

        push(Concern.CONFIG, value);

        assertThat(names.concern(DB, Concern.CONFIG)).contains(value);
        push(Concern.CONFIG, ConcernValue.of(2, Map.of()));
    }

    @Test
    void a_record_that_is_too_large_is_refused_as_such() {
        names.create(NewRecord.ledger(DB));

        assertThatThrownBy(() -> push(Concern.CONFIG, ConcernValue.of(1, Map.of("x", "y".repeat(500_000)))))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_INPUT));
    }
}
