package io.ontologia.nameservice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.Payload;
import io.ontologia.testkit.ForeignFiles;
import io.ontologia.testkit.SettableClock;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Records that a writer changes which knows the specification alone, in every layout. */
class ForeignWritersTest {
    private static final Alias DB = Alias.parse("mydb");
    private static final ConcernValue HEAD_1 = ConcernValue.of(1, Map.of("address", "a", "t", 1));
    private static final ConcernValue HEAD_2 = ConcernValue.of(2, Map.of("address", "b", "t", 2));
    private static final ConcernValue HEAD_3 = ConcernValue.of(3, Map.of("address", "c", "t", 3));
    private static final ConcernValue INDEX_1 = ConcernValue.of(1, Map.of("default", Map.of("t", 1)));
    private static final ConcernValue INDEX_2 = ConcernValue.of(2, Map.of("default", Map.of("t", 2)));
    private static final ConcernValue READY_2 = ConcernValue.of(2, Map.of("state", "ready"));
    private static final ConcernValue CONFIG_1 = ConcernValue.of(1, Map.of("index_threshold", 10));

    private final ObjectStore store = ObjectStores.open("memory:" + UUID.randomUUID(), new SettableClock());

    private Nameservice open(Layout layout) {
        return Nameservices.on(store, layout, NameserviceOptions.defaults().clock(new SettableClock()));
    }

    private static void fill(Nameservice names) {
        names.create(NewRecord.ledger(DB));
        names.push(DB, Concern.HEAD, ConcernValue.unborn(), HEAD_1);
        names.push(DB, Concern.INDEX, ConcernValue.unborn(), INDEX_1);
        names.push(DB, Concern.CONFIG, ConcernValue.unborn(), CONFIG_1);
    }

    private static void assertAgrees(Nameservice names, NameRecord expected) {
        assertThat(names.lookup(DB)).contains(expected);
        assertThat(names.watermarks(DB)).contains(expected.watermarks());
        for (Concern concern : Concern.values()) {
            assertThat(names.concern(DB, concern)).contains(expected.concern(concern));
        }
        assertThat(names.list(NameQuery.all()).records()).containsExactly(expected);
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void a_record_that_was_written_again_with_the_listed_fields_alone_keeps_all_its_concerns(Layout layout) {
        Nameservice names = open(layout);
        fill(names);
        NameRecord before = names.lookup(DB).orElseThrow();

        new ForeignFiles(store, layout).rewrite("mydb:main");

        assertAgrees(names, before);
        assertAgrees(open(layout), before);
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void a_push_by_us_and_a_push_by_a_foreign_writer_both_count(Layout layout) {
        Nameservice names = open(layout);
        ForeignFiles foreign = new ForeignFiles(store, layout);
        fill(names);

        foreign.set("mydb:main", "head", 2, Map.of("address", "b", "t", 2));
        assertThat(names.push(DB, Concern.INDEX, INDEX_1, INDEX_2)).isEqualTo(new PushOutcome.Updated(INDEX_2));
        assertThat(names.push(DB, Concern.HEAD, HEAD_2, HEAD_3)).isEqualTo(new PushOutcome.Updated(HEAD_3));
        foreign.set("mydb:main", "status", 2, Map.of("state", "indexing"));

        NameRecord now = names.lookup(DB).orElseThrow();
        assertAgrees(names, now);
        assertThat(now.watermarks()).isEqualTo(new Watermarks(3, 2, 2, 1));
        assertThat(foreign.read("mydb:main").orElseThrow())
                .containsEntry("index_v", 2L)
                .containsEntry("head_v", 3L);
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void a_foreign_retraction_refuses_every_push(Layout layout) {
        Nameservice names = open(layout);
        fill(names);
        names.lookup(DB);

        new ForeignFiles(store, layout).retract("mydb:main", 2, 1_700_000_000);

        assertThatThrownBy(() -> names.push(DB, Concern.HEAD, HEAD_1, HEAD_2))
                .isInstanceOf(NameRetractedException.class);
        assertThatThrownBy(() -> names.push(DB, Concern.INDEX, INDEX_1, INDEX_2))
                .isInstanceOf(NameRetractedException.class);
        assertThat(names.concern(DB, Concern.INDEX)).contains(INDEX_1);
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void a_record_that_a_foreign_writer_rewrote_is_retracted_restored_and_purged_without_a_rest(Layout layout) {
        Nameservice names = open(layout);
        ForeignFiles foreign = new ForeignFiles(store, layout);
        fill(names);
        foreign.rewrite("mydb:main");

        assertThat(names.retract(DB, "over")).isInstanceOf(LifecycleOutcome.Changed.class);
        foreign.rewrite("mydb:main");
        assertThat(names.lookup(DB).orElseThrow().isRetracted()).isTrue();
        assertThat(names.restore(DB)).isInstanceOf(LifecycleOutcome.Changed.class);
        assertThat(names.push(DB, Concern.INDEX, INDEX_1, INDEX_2)).isEqualTo(new PushOutcome.Updated(INDEX_2));
        names.retract(DB, "over");
        foreign.set("mydb:main", "status", 5, Map.of("state", "retracted"));
        assertThat(names.purge(DB)).isEqualTo(new PurgeOutcome.Purged());

        assertThat(store.list(ListRequest.of("ns@v2/")).objects()).isEmpty();
        assertThat(names.create(NewRecord.ledger(DB))).isInstanceOf(CreateOutcome.Created.class);
        assertThat(names.lookup(DB).orElseThrow().watermarks()).isEqualTo(new Watermarks(0, 0, 1, 0));
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void the_name_of_a_record_that_a_foreign_writer_removed_is_free(Layout layout) {
        Nameservice names = open(layout);
        fill(names);

        new ForeignFiles(store, layout).remove("mydb:main");

        assertThat(names.lookup(DB)).isEmpty();
        for (Concern concern : Concern.values()) {
            assertThat(names.concern(DB, concern)).isEmpty();
        }
        assertThatThrownBy(() -> names.push(DB, Concern.INDEX, INDEX_1, INDEX_2))
                .isInstanceOf(NameNotFoundException.class);
    }

    @ParameterizedTest
    @EnumSource(
            value = Layout.class,
            names = {"B", "C"})
    void the_higher_watermark_of_an_inline_index_and_an_index_object_counts(Layout layout) {
        Nameservice names = open(layout);
        ForeignFiles foreign = new ForeignFiles(store, layout);
        foreign.create("mydb:main", "ledger", 1_700_000_000);
        String text = text(authority(layout));
        store.delete("ns@v2/mydb/main.index.json");
        replace(
                authority(layout),
                text.substring(0, text.length() - 1) + ", \"index_v\": 1, \"index\": {\"default\": {\"t\": 1}}}");

        assertThat(names.concern(DB, Concern.INDEX)).contains(INDEX_1);
        assertThat(names.lookup(DB).orElseThrow().index()).isEqualTo(INDEX_1);
        assertThat(names.push(DB, Concern.INDEX, ConcernValue.unborn(), INDEX_1))
                .isEqualTo(new PushOutcome.Conflict(INDEX_1));
        assertThat(names.push(DB, Concern.INDEX, INDEX_1, INDEX_2)).isEqualTo(new PushOutcome.Updated(INDEX_2));
        assertThat(names.lookup(DB).orElseThrow().index()).isEqualTo(INDEX_2);
        assertThat(names.list(NameQuery.all()).records().get(0).index()).isEqualTo(INDEX_2);

        foreign.set("mydb:main", "index", 1, Map.of("default", Map.of("t", 9)));
        assertThat(open(layout).concern(DB, Concern.INDEX))
                .contains(names.lookup(DB).orElseThrow().index());
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void a_record_of_a_later_version_is_refused_and_left_as_it_is(Layout layout) {
        Nameservice names = open(layout);
        fill(names);
        String authority = authority(layout);
        replace(authority, text(authority).replace("\"v\":2", "\"v\":3"));
        String before = text(authority);

        for (int round = 0; round < 2; round++) {
            refused(() -> names.lookup(DB));
            refused(() -> names.create(NewRecord.ledger(DB)));
            refused(() -> names.push(DB, Concern.HEAD, HEAD_1, HEAD_2));
            refused(() -> names.push(DB, Concern.INDEX, INDEX_1, INDEX_2));
            refused(() -> names.concern(DB, Concern.INDEX));
            refused(() -> names.retract(DB, ""));
            refused(() -> names.restore(DB));
            refused(() -> names.purge(DB));
        }

        assertThat(names.list(NameQuery.all()).unreadable()).hasSize(1);
        assertThat(text(authority)).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void a_record_in_the_place_of_another_is_refused_by_every_push(Layout layout) {
        Nameservice names = open(layout);
        fill(names);
        replace(authority(layout), text(authority(layout)).replace("\"mydb:main\"", "\"other:main\""));

        for (int round = 0; round < 3; round++) {
            refused(() -> names.push(DB, Concern.HEAD, HEAD_1, HEAD_2));
            refused(() -> names.push(DB, Concern.INDEX, INDEX_1, INDEX_2));
            refused(() -> names.push(DB, Concern.STATUS, ConcernValue.of(1, Map.of("state", "ready")), READY_2));
        }
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void an_empty_head_at_watermark_0_is_unborn(Layout layout) {
        Nameservice names = open(layout);
        ForeignFiles foreign = new ForeignFiles(store, layout);
        foreign.create("mydb:main", "vg:jdbc", 1_700_000_000);
        foreign.set("mydb:main", "head", 0, Map.of());

        assertThat(names.lookup(DB).orElseThrow().head()).isEqualTo(ConcernValue.unborn());
        assertThat(names.push(DB, Concern.HEAD, ConcernValue.unborn(), HEAD_1))
                .isEqualTo(new PushOutcome.Updated(HEAD_1));
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void a_status_without_its_watermark_is_at_0_and_is_pushed_on(Layout layout) {
        Nameservice names = open(layout);
        new ForeignFiles(store, layout).create("mydb:main", "ledger", 1_700_000_000);
        replace(authority(layout), text(authority(layout)).replace("\"status_v\": 1, ", ""));
        ConcernValue found = ConcernValue.of(0, Map.of("state", "ready"));

        assertThat(names.lookup(DB).orElseThrow().status()).isEqualTo(found);
        assertThat(names.concern(DB, Concern.STATUS)).contains(found);
        assertThat(names.push(DB, Concern.STATUS, ConcernValue.unborn(), READY_2))
                .isEqualTo(new PushOutcome.Conflict(found));
        assertThat(names.push(DB, Concern.STATUS, found, READY_2)).isEqualTo(new PushOutcome.Updated(READY_2));
    }

    @ParameterizedTest
    @EnumSource(Layout.class)
    void a_record_created_at_a_fraction_of_a_second_is_read(Layout layout) {
        Nameservice names = open(layout);
        new ForeignFiles(store, layout).create("mydb:main", "ledger", 1_700_000_000);
        replace(authority(layout), text(authority(layout)).replace("1700000000", "1700000000.25"));

        assertThat(names.lookup(DB).orElseThrow().createdAt()).isEqualTo(Instant.ofEpochMilli(1_700_000_000_250L));
        assertThat(names.push(DB, Concern.HEAD, ConcernValue.unborn(), HEAD_1))
                .isEqualTo(new PushOutcome.Updated(HEAD_1));
    }

    private static void refused(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.CORRUPT));
    }

    private static String authority(Layout layout) {
        return "ns@v2/mydb/main" + (layout == Layout.C ? ".status.json" : ".json");
    }

    private String text(String key) {
        return new String(store.get(key).orElseThrow().bytes(), StandardCharsets.UTF_8);
    }

    private void replace(String key, String text) {
        store.putIfMatch(
                key,
                Payload.of(text.getBytes(StandardCharsets.UTF_8)),
                store.get(key).orElseThrow().etag());
    }

    @Test
    void a_status_file_of_layout_C_without_type_and_time_does_not_hide_the_record() {
        Nameservice names = open(Layout.C);
        fill(names);
        store.put(
                "ns@v2/mydb/main.status.json",
                Payload.of("{\"pk\": \"mydb:main\", \"status_v\": 2, \"status\": {\"state\": \"ready\"}}"));

        NameRecord now = open(Layout.C).lookup(DB).orElseThrow();

        assertThat(now.type()).isEqualTo(EntityType.LEDGER);
        assertThat(now.isRetracted()).isFalse();
        assertThat(now.watermarks()).isEqualTo(new Watermarks(1, 1, 2, 1));
        assertAgrees(open(Layout.C), now);
        assertThat(names.push(DB, Concern.HEAD, HEAD_1, HEAD_2)).isEqualTo(new PushOutcome.Updated(HEAD_2));
        assertThat(names.push(DB, Concern.STATUS, READY_2, ConcernValue.of(3, Map.of("state", "indexing"))))
                .isInstanceOf(PushOutcome.Updated.class);
        assertThat(names.lookup(DB).orElseThrow().watermarks()).isEqualTo(new Watermarks(2, 1, 3, 1));
    }

    @Test
    void a_status_file_of_layout_C_that_says_retracted_retracts_the_record() {
        Nameservice names = open(Layout.C);
        fill(names);
        store.put(
                "ns@v2/mydb/main.status.json",
                Payload.of("{\"pk\": \"mydb:main\", \"status_v\": 2, \"status\": {\"state\": \"retracted\"}}"));

        assertThat(names.lookup(DB).orElseThrow().isRetracted()).isTrue();
        assertThatThrownBy(() -> names.push(DB, Concern.HEAD, HEAD_1, HEAD_2))
                .isInstanceOf(NameRetractedException.class);
        assertThat(names.restore(DB)).isInstanceOf(LifecycleOutcome.Changed.class);
        assertThat(names.push(DB, Concern.HEAD, HEAD_1, HEAD_2)).isEqualTo(new PushOutcome.Updated(HEAD_2));
    }
}
