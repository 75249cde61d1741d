package io.ontologia.nameservice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.objectstore.Payload;
import io.ontologia.testkit.FaultPlan;
import io.ontologia.testkit.FaultyObjectStore;
import io.ontologia.testkit.SettableClock;
import io.ontologia.testkit.StoreCrashed;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Records that a client of another layout comes across: it is told so, and changes nothing. */
class WrongLayoutTest {
    private static final Alias DB = Alias.parse("mydb");
    private static final ConcernValue FIRST = ConcernValue.of(1, Map.of("address", "a", "t", 1));
    private static final ConcernValue SECOND = ConcernValue.of(2, Map.of("address", "b", "t", 2));

    private static final ConcernValue READY = ConcernValue.of(2, Map.of("state", "ready"));

    private final String store = "memory:" + UUID.randomUUID();

    private Nameservice open(Layout layout) {
        return on(ObjectStores.open(store, new SettableClock()), layout);
    }

    private static Nameservice on(ObjectStore objects, Layout layout) {
        return Nameservices.on(objects, layout, NameserviceOptions.defaults().clock(new SettableClock()));
    }

    static Stream<Arguments> pairs() {
        return Stream.of(Layout.values())
                .flatMap(written -> Stream.of(Layout.values())
                        .filter(opened -> opened != written)
                        .map(opened -> Arguments.of(written, opened)));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void a_record_of_another_layout_is_refused_and_left_as_it_is(Layout written, Layout opened) {
        try (Nameservice right = open(written);
                Nameservice wrong = open(opened)) {
            right.create(NewRecord.ledger(DB));
            right.push(DB, Concern.HEAD, ConcernValue.unborn(), FIRST);
            right.push(DB, Concern.INDEX, ConcernValue.unborn(), FIRST);
            Optional<NameRecord> before = right.lookup(DB);

            refused(written, () -> wrong.lookup(DB));
            refused(written, () -> wrong.create(NewRecord.ledger(DB)));
            refused(written, () -> wrong.push(DB, Concern.CONFIG, ConcernValue.unborn(), FIRST));
            refused(
                    written,
                    () -> wrong.push(DB, Concern.STATUS, before.orElseThrow().status(), READY));
            refused(written, () -> wrong.concern(DB, Concern.INDEX));
            refused(written, () -> wrong.push(DB, Concern.INDEX, FIRST, SECOND));
            refused(written, () -> wrong.retract(DB, ""));
            refused(written, () -> wrong.restore(DB));
            refused(written, () -> wrong.purge(DB));

            NamePage page = wrong.list(NameQuery.all());
            assertThat(page.records()).isEmpty();
            assertThat(page.unreadable())
                    .filteredOn(one -> one.reason().getMessage().contains("?layout=" + written))
                    .hasSize(1);
            assertThat(page.unreadable())
                    .allSatisfy(one -> assertThat(one.reason().getMessage()).contains("layout"));
            assertThat(right.lookup(DB)).isEqualTo(before);
            assertThat(right.list(NameQuery.all()).unreadable()).isEmpty();
            assertThat(right.push(DB, Concern.HEAD, FIRST, SECOND)).isEqualTo(new PushOutcome.Updated(SECOND));
        }
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void a_name_that_was_purged_in_another_layout_is_free(Layout written, Layout opened) {
        try (Nameservice right = open(written);
                Nameservice wrong = open(opened)) {
            right.create(NewRecord.ledger(DB));
            right.retract(DB, "");
            right.purge(DB);

            assertThat(wrong.lookup(DB)).isEmpty();
            assertThat(wrong.create(NewRecord.ledger(DB))).isInstanceOf(CreateOutcome.Created.class);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"A", "B"})
    void what_an_upgrade_to_another_layout_left_behind_is_not_upgraded_again(Layout opened) {
        try (Nameservice right = open(Layout.C);
                Nameservice wrong = open(opened)) {
            right.create(NewRecord.ledger(DB));
            ObjectStores.open(store, new SettableClock())
                    .put("ns@v2/mydb/main.json", Payload.of("{\"ledger_alias\":\"mydb:main\",\"v\":1}"));

            refused(Layout.C, () -> wrong.lookup(DB));
            refused(Layout.C, () -> wrong.push(DB, Concern.HEAD, ConcernValue.unborn(), FIRST));
            refused(Layout.C, () -> wrong.retract(DB, ""));
            assertThat(wrong.list(NameQuery.all()).records()).isEmpty();
            Migration.Report report = new Migration(wrong, progress -> {}).run();
            assertThat(report.migrated()).isEmpty();
            assertThat(report.failures())
                    .filteredOn(failure -> failure.reason().getMessage().contains("?layout=C"))
                    .hasSize(1);
            assertThat(right.lookup(DB)).isPresent();
        }
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void what_a_purge_that_broke_off_left_goes_with_a_purge_in_another_layout(Layout written, Layout opened) {
        afterBrokenPurges(written, server -> {
            if (!keys(server).isEmpty()) {
                assertThat(on(server, opened).purge(DB)).isEqualTo(new PurgeOutcome.Purged());
            }

            assertThat(keys(server)).isEmpty();
        });
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void what_a_purge_that_broke_off_left_goes_with_a_creation_in_another_layout(Layout written, Layout opened) {
        afterBrokenPurges(written, server -> {
            Nameservice other = on(server, opened);

            assertThat(other.list(NameQuery.all()).records()).isEmpty();
            assertThat(other.create(NewRecord.ledger(DB))).isInstanceOf(CreateOutcome.Created.class);
            assertThat(other.list(NameQuery.all()).unreadable()).isEmpty();
            assertThat(other.lookup(DB).orElseThrow().watermarks()).isEqualTo(new Watermarks(0, 0, 1, 0));
        });
    }

    /** Lets a purge break off before each of its requests, and looks at what is there when the record is gone. */
    private static void afterBrokenPurges(Layout written, Consumer<ObjectStore> check) {
        int checked = 0;
        for (int step = 1; step < 20; step++) {
            ObjectStore server = ObjectStores.open("memory:", new SettableClock());
            Nameservice right = on(server, written);
            right.create(NewRecord.ledger(DB));
            right.push(DB, Concern.INDEX, ConcernValue.unborn(), FIRST);
            right.push(DB, Concern.HEAD, ConcernValue.unborn(), FIRST);
            right.retract(DB, "");
            try {
                on(new FaultyObjectStore(server, FaultPlan.crashBefore(step)), written)
                        .purge(DB);
            } catch (StoreCrashed | CompletionException e) {
                // Somewhere on the way.
            }
            if (right.lookup(DB).isEmpty()) {
                check.accept(server);
                checked++;
            }
        }
        assertThat(checked).isGreaterThan(1);
    }

    private static List<String> keys(ObjectStore server) {
        return server.list(ListRequest.of("ns@v2/")).objects().stream()
                .map(ObjectSummary::key)
                .toList();
    }

    private static void refused(Layout written, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_INPUT))
                .hasMessageContaining("?layout=" + written);
    }
}
