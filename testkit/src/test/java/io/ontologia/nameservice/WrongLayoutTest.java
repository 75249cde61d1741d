package io.ontologia.nameservice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.testkit.SettableClock;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Records that a client of another layout comes across: it is told so, and changes nothing. */
class WrongLayoutTest {
    private static final Alias DB = Alias.parse("mydb");
    private static final ConcernValue FIRST = ConcernValue.of(1, Map.of("address", "a", "t", 1));
    private static final ConcernValue SECOND = ConcernValue.of(2, Map.of("address", "b", "t", 2));

    private static final ConcernValue READY = ConcernValue.of(2, Map.of("state", "ready"));

    private final String store = "memory:" + UUID.randomUUID();

    private Nameservice open(Layout layout) {
        SettableClock clock = new SettableClock();
        return Nameservices.on(
                ObjectStores.open(store, clock),
                layout,
                NameserviceOptions.defaults().clock(clock));
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
            Optional<NameRecord> before = right.lookup(DB);

            refused(written, () -> wrong.lookup(DB));
            refused(written, () -> wrong.create(NewRecord.ledger(DB)));
            refused(written, () -> wrong.push(DB, Concern.CONFIG, ConcernValue.unborn(), FIRST));
            refused(
                    written,
                    () -> wrong.push(DB, Concern.STATUS, before.orElseThrow().status(), READY));
            refused(written, () -> wrong.retract(DB, ""));
            refused(written, () -> wrong.restore(DB));
            refused(written, () -> wrong.purge(DB));

            NamePage page = wrong.list(NameQuery.all());
            assertThat(page.records()).isEmpty();
            assertThat(page.unreadable()).isNotEmpty();
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

    private static void refused(Layout written, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_INPUT))
                .hasMessageContaining("?layout=" + written);
    }
}
