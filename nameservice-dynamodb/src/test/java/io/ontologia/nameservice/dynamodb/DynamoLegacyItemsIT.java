package io.ontologia.nameservice.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.Migration;
import io.ontologia.nameservice.NameQuery;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.NewRecord;
import io.ontologia.nameservice.PurgeOutcome;
import io.ontologia.nameservice.PushOutcome;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Items of version 1. */
class DynamoLegacyItemsIT extends DynamoItemsSuite {
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
}
