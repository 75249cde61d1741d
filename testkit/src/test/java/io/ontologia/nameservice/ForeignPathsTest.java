package io.ontologia.nameservice;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.objectstore.Payload;
import io.ontologia.testkit.ForeignFiles;
import io.ontologia.testkit.SettableClock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Records at the literal paths of the specification, whose names we write in another way. */
class ForeignPathsTest {
    private static final ConcernValue HEAD_1 = ConcernValue.of(1, Map.of("address", "a", "t", 1));
    private static final ConcernValue INDEX_1 = ConcernValue.of(1, Map.of("default", Map.of("t", 1)));

    @TempDir
    Path folder;

    static Stream<Arguments> cases() {
        return Stream.of(Layout.values())
                .flatMap(layout -> Stream.of("MyDB:main", "org/db:main", "db:v1.0", "a.b:Main", "db:feature/x")
                        .flatMap(alias ->
                                Stream.of("memory:", "file:").map(place -> Arguments.of(layout, alias, place))));
    }

    private ObjectStore store(String place) {
        return ObjectStores.open(
                place.equals("file:") ? "file://" + folder : "memory:" + UUID.randomUUID(), new SettableClock());
    }

    private static Nameservice on(ObjectStore store, Layout layout) {
        return Nameservices.on(store, layout, NameserviceOptions.defaults().clock(new SettableClock()));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void they_are_found_listed_changed_and_never_made_twice(Layout layout, String alias, String place) {
        ObjectStore store = store(place);
        Nameservice names = on(store, layout);
        names.create(NewRecord.ledger(Alias.parse("plain")));
        ForeignFiles foreign = new ForeignFiles(store, layout);
        foreign.create(alias, "ledger", 1_700_000_000);
        foreign.set(alias, "head", 1, HEAD_1.payload().orElseThrow().fields());
        List<String> before = keys(store);
        Alias name = Alias.parse(alias);

        assertThat(names.lookup(name).orElseThrow().head()).isEqualTo(HEAD_1);
        assertThat(names.concern(name, Concern.HEAD)).contains(HEAD_1);
        assertThat(names.create(NewRecord.ledger(name))).isInstanceOf(CreateOutcome.Exists.class);
        assertThat(names.push(name, Concern.INDEX, ConcernValue.unborn(), INDEX_1))
                .isEqualTo(new PushOutcome.Updated(INDEX_1));

        assertThat(keys(store)).isEqualTo(before);
        assertThat(foreign.read(alias).orElseThrow()).containsEntry("index_v", 1L);
        for (NameQuery query : List.of(
                NameQuery.all(),
                NameQuery.all().prefix(alias.substring(0, 2)),
                NameQuery.all().pageSize(1))) {
            NamePage page = on(store, layout).list(query);
            List<NameRecord> all = new java.util.ArrayList<>(page.records());
            while (page.next().isPresent()) {
                page = on(store, layout).list(query.continueAt(page.next().get()));
                all.addAll(page.records());
            }
            assertThat(page.unreadable()).isEmpty();
            assertThat(all).extracting(NameRecord::alias).contains(name).doesNotHaveDuplicates();
        }
        names.retract(name, "");
        assertThat(names.purge(name)).isEqualTo(new PurgeOutcome.Purged());
        assertThat(names.lookup(name)).isEmpty();
        assertThat(foreign.read(alias)).isEmpty();
        assertThat(names.create(NewRecord.ledger(name))).isInstanceOf(CreateOutcome.Created.class);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void those_of_version_1_are_migrated(Layout layout, String alias, String place) {
        ObjectStore store = store(place);
        String path = "ns@v2/" + alias.replace(':', '/') + ".json";
        store.putIfAbsent(
                path,
                Payload.of(("{\"ledger_alias\":\"" + alias + "\",\"commit_address\":\"a\",\"commit_t\":1}")
                        .getBytes(StandardCharsets.UTF_8)));
        Nameservice names = on(store, layout);

        Migration.Report report = new Migration(names, progress -> {}).run();

        assertThat(report.failures()).isEmpty();
        assertThat(report.migrated()).containsExactly(Alias.parse(alias));
        assertThat(on(store, layout).lookup(Alias.parse(alias)).orElseThrow().head())
                .isEqualTo(HEAD_1);
        assertThat(new Migration(names, progress -> {}).run().migrated()).isEmpty();
    }

    private static List<String> keys(ObjectStore store) {
        return store.list(ListRequest.of("ns@v2/")).objects().stream()
                .map(ObjectSummary::key)
                .toList();
    }
}
