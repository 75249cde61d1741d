package io.ontologia.nameservice.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernPayload;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.Migration;
import io.ontologia.nameservice.NamePage;
import io.ontologia.nameservice.NameQuery;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.NewRecord;
import io.ontologia.nameservice.PurgeOutcome;
import io.ontologia.nameservice.PushOutcome;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What lies in the table, how many requests calls cost, and how items of others and of version 1 are read. */
class DynamoItemsIT {
    private static final Alias DB = Alias.parse("mydb");

    @RegisterExtension
    final LocalDynamo dynamo = new LocalDynamo();

    private final FaultyDynamo network = new FaultyDynamo();
    private Nameservice names;
    private DynamoDbClient table;

    @BeforeEach
    void open() {
        names = network.open(dynamo.location());
        table = dynamo.client();
    }

    @AfterEach
    void close() {
        names.close();
        table.close();
    }

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
            assertThat(indexed.list(NameQuery.all().state("ready")).records()).hasSize(5);
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
    void an_address_at_t_0_of_version_1_survives_the_migration() {
        legacy("mydb:main", "ready");
        Map<String, AttributeValue> item = new HashMap<>(item("mydb:main"));
        item.put("commit_t", AttributeValue.fromN("0"));
        table.putItem(put -> put.tableName(dynamo.location().table()).item(item));
        ConcernValue head = ConcernValue.of(0, Map.of("address", "commit-7", "t", 0));

        assertThat(names.lookup(DB).orElseThrow().head()).isEqualTo(head);
        new Migration(names, progress -> {}).run();

        assertThat(names.lookup(DB).orElseThrow().head()).isEqualTo(head);
        push(Concern.HEAD, ConcernValue.of(1, Map.of("t", 1)));
    }

    private static void refused(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.CORRUPT));
    }

    @Test
    void a_record_of_version_1_is_read_and_upgraded_by_the_first_write() {
        legacy("mydb:main", "ready");
        NameRecord before = names.lookup(DB).orElseThrow();

        assertThat(before.head()).isEqualTo(ConcernValue.of(7, Map.of("address", "commit-7", "t", 7)));
        assertThat(before.config()).isEqualTo(ConcernValue.unborn());
        assertThat(names.concern(DB, Concern.HEAD)).contains(before.head());
        assertThat(names.watermarks(DB)).contains(before.watermarks());
        assertThat(names.list(NameQuery.all()).records()).containsExactly(before);

        ConcernValue next = ConcernValue.of(8, Map.of("address", "commit-8", "t", 8));
        assertThat(names.push(DB, Concern.HEAD, ConcernValue.unborn(), next))
                .isEqualTo(new PushOutcome.Conflict(before.head()));
        assertThat(item("mydb:main")).doesNotContainKey("v");
        assertThat(names.push(DB, Concern.HEAD, before.head(), next)).isEqualTo(new PushOutcome.Updated(next));

        assertThat(names.lookup(DB)).contains(before.with(Concern.HEAD, next));
        assertThat(attribute("v").n()).isEqualTo("2");
        assertThat(item("mydb:main"))
                .doesNotContainKeys("commit_t", "commit_address", "updated_at")
                .containsEntry("extra", AttributeValue.fromS("kept"));
    }

    @Test
    void an_upgrade_whose_reply_is_lost_happens_once() {
        legacy("mydb:main", "ready");
        ConcernValue head = names.concern(DB, Concern.HEAD).orElseThrow();
        ConcernValue next = ConcernValue.of(8, Map.of("address", "commit-8", "t", 8));
        network.next(request -> request.call(), FaultyDynamo.lostReply());

        assertThat(names.push(DB, Concern.HEAD, head, next)).isEqualTo(new PushOutcome.Updated(next));
    }

    @Test
    void the_migration_upgrades_what_is_left_and_nothing_twice() {
        legacy("mydb:main", "ready");
        legacy("gone:main", "retracted");
        names.create(NewRecord.ledger(Alias.parse("new")));
        List<NameRecord> before = names.list(NameQuery.all()).records();
        Migration migration = new Migration(names, progress -> {});

        assertThat(migration.dryRun().migrated()).containsExactlyInAnyOrder(DB, Alias.parse("gone"));
        assertThat(item("mydb:main")).doesNotContainKey("v");
        network.next(request -> request.call(), request -> request.call(), FaultyDynamo.lostReply());
        Migration.Report report = migration.run();

        assertThat(report.looked()).isEqualTo(3);
        assertThat(report.migrated()).containsExactlyInAnyOrder(DB, Alias.parse("gone"));
        assertThat(report.failures()).isEmpty();
        assertThat(item("mydb:main")).containsKey("v").doesNotContainKey("commit_t");
        assertThat(names.list(NameQuery.all()).records()).containsExactlyInAnyOrderElementsOf(before);
        assertThat(migration.run().migrated()).isEmpty();
    }

    @Test
    void records_of_version_1_are_retracted_restored_and_purged() {
        legacy("mydb:main", "ready");
        legacy("gone:main", "retracted");
        names.retract(DB, "old");

        assertThat(names.lookup(DB).orElseThrow().isRetracted()).isTrue();
        assertThat(names.purge(DB)).isEqualTo(new PurgeOutcome.Purged());
        assertThat(names.purge(Alias.parse("gone"))).isEqualTo(new PurgeOutcome.Purged());
        assertThat(names.list(NameQuery.all()).records()).isEqualTo(List.of());
    }

    private void legacy(String alias, String status) {
        Map<String, AttributeValue> item = new HashMap<>();
        item.put("pk", AttributeValue.fromS(alias));
        item.put("ledger_alias", AttributeValue.fromS(alias));
        item.put("ledger_name", AttributeValue.fromS(alias.replaceFirst(":.*", "")));
        item.put("branch", AttributeValue.fromS("main"));
        item.put("commit_address", AttributeValue.fromS("commit-7"));
        item.put("commit_t", AttributeValue.fromN("7"));
        item.put("index_address", AttributeValue.fromS("index-6"));
        item.put("index_t", AttributeValue.fromN("6"));
        item.put("status", AttributeValue.fromS(status));
        item.put("updated_at", AttributeValue.fromN("1705312200"));
        item.put("extra", AttributeValue.fromS("kept"));
        table.putItem(put -> put.tableName(dynamo.location().table()).item(item));
    }

    private Map<String, AttributeValue> item(String alias) {
        return table.getItem(get -> get.tableName(dynamo.location().table())
                        .key(Map.of("pk", AttributeValue.fromS(alias)))
                        .consistentRead(true))
                .item();
    }

    private AttributeValue attribute(String name) {
        return java.util.Objects.requireNonNull(item("mydb:main").get(name));
    }

    private void push(Concern concern, ConcernValue next) {
        ConcernValue current = names.concern(DB, concern).orElseThrow();
        assertThat(names.push(DB, concern, current, next)).isEqualTo(new PushOutcome.Updated(next));
    }
}
