package io.ontologia.nameservice.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.NamePage;
import io.ontologia.nameservice.NameQuery;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.NewRecord;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Items that another program wrote, or damaged. */
class DynamoForeignItemsIT extends DynamoItemsSuite {
    @Test
    void a_value_that_others_stored_in_their_own_way_can_be_pushed_on() {
        names.create(NewRecord.ledger(DB));
        Map<String, AttributeValue> item = new HashMap<>(item("mydb:main"));
        item.put("config_v", AttributeValue.fromN("1"));
        item.put("config", AttributeValue.fromM(Map.of("x", AttributeValue.fromN("1E+90"))));
        item.put("unknown", AttributeValue.fromS("kept"));
        table.putItem(put -> put.tableName(dynamo.location().table()).item(item));

        push(Concern.CONFIG, ConcernValue.of(2, Map.of("x", 2)));

        assertThat(attribute("unknown").s()).isEqualTo("kept");
    }

    @Test
    void a_corrupt_item_fails_its_own_lookup_and_stands_in_listings_as_unreadable() {
        names.create(NewRecord.ledger(DB));
        names.create(NewRecord.ledger(Alias.parse("good")));
        Map<String, AttributeValue> item = new HashMap<>(item("mydb:main"));
        item.put("head_v", AttributeValue.fromS("one"));
        table.putItem(put -> put.tableName(dynamo.location().table()).item(item));

        assertThatThrownBy(() -> names.lookup(DB)).isInstanceOfSatisfying(OntologiaException.class, e -> {
            assertThat(e.kind()).isEqualTo(ErrorKind.CORRUPT);
            assertThat(e).hasMessageContaining("mydb:main");
        });
        assertThatThrownBy(() -> names.watermarks(DB)).isInstanceOf(OntologiaException.class);
        NamePage page = names.list(NameQuery.all());
        assertThat(page.records()).extracting(NameRecord::alias).containsExactly(Alias.parse("good"));
        assertThat(page.unreadable()).hasSize(1);
    }

    @Test
    void an_item_of_a_later_version_is_refused_and_left_as_it_is() {
        names.create(NewRecord.ledger(DB));
        ConcernValue status = names.lookup(DB).orElseThrow().status();
        Map<String, AttributeValue> item = new HashMap<>(item("mydb:main"));
        item.put("v", AttributeValue.fromN("3"));
        item.put("retracted", AttributeValue.fromBool(true));
        table.putItem(put -> put.tableName(dynamo.location().table()).item(item));

        refused(() -> names.lookup(DB));
        refused(() -> names.concern(DB, Concern.INDEX));
        refused(() -> names.watermarks(DB));
        refused(() -> names.create(NewRecord.ledger(DB)));
        refused(() -> names.push(DB, Concern.STATUS, status, ConcernValue.of(2, Map.of("state", "ready"))));
        refused(() -> names.retract(DB, ""));
        refused(() -> names.restore(DB));
        refused(() -> names.purge(DB));

        assertThat(names.list(NameQuery.all()).unreadable()).hasSize(1);
        assertThat(item("mydb:main")).isEqualTo(item);
    }

    @Test
    void what_a_foreign_writer_left_out_is_absent_and_is_pushed_on() {
        names.create(NewRecord.ledger(DB));
        Map<String, AttributeValue> item = new HashMap<>(item("mydb:main"));
        item.keySet().removeIf(name -> name.endsWith("_w") || name.equals("status_v"));
        item.put("head", AttributeValue.fromM(Map.of()));
        item.put("created_at", AttributeValue.fromN("1700000000.25"));
        table.putItem(put -> put.tableName(dynamo.location().table()).item(item));
        ConcernValue status = ConcernValue.of(0, Map.of("state", "ready"));

        NameRecord record = names.lookup(DB).orElseThrow();

        assertThat(record.status()).isEqualTo(status);
        assertThat(record.head()).isEqualTo(ConcernValue.unborn());
        assertThat(record.createdAt()).isEqualTo(Instant.ofEpochMilli(1_700_000_000_250L));
        assertThat(names.watermarks(DB)).contains(record.watermarks());
        assertThat(names.concern(DB, Concern.STATUS)).contains(status);
        push(Concern.STATUS, ConcernValue.of(1, Map.of("state", "indexing")));
        push(Concern.HEAD, ConcernValue.of(1, Map.of("t", 1)));
    }

    @Test
    void a_status_that_a_foreign_writer_set_is_found_by_its_state() {
        names.create(NewRecord.ledger(DB));
        names.create(NewRecord.ledger(Alias.parse("other")));
        table.updateItem(update -> update.tableName(dynamo.location().table())
                .key(Map.of("pk", AttributeValue.fromS("mydb:main")))
                .updateExpression("SET #s = :s, status_v = :v")
                .expressionAttributeNames(Map.of("#s", "status"))
                .expressionAttributeValues(Map.of(
                        ":s",
                        AttributeValue.fromM(Map.of("state", AttributeValue.fromS("indexing"))),
                        ":v",
                        AttributeValue.fromN("2"))));

        try (Nameservice indexed = new FaultyDynamo()
                .open(io.ontologia.nameservice.dynamodb.internal.TableLocation.parse(
                        dynamo.uri() + "&listing=indexed"))) {
            for (Nameservice one : List.of(names, indexed)) {
                assertThat(one.list(NameQuery.all().state("indexing")).records())
                        .extracting(NameRecord::alias)
                        .containsExactly(DB);
                assertThat(one.list(NameQuery.all().state("ready")).records())
                        .extracting(NameRecord::alias)
                        .containsExactly(Alias.parse("other"));
            }
        }
        push(Concern.STATUS, ConcernValue.of(3, Map.of("state", "busy")));
        assertThat(attribute("status_state").s()).isEqualTo("busy");
    }

    private static void refused(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.CORRUPT));
    }
}
