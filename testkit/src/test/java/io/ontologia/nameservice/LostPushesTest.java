package io.ontologia.nameservice;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.testkit.SettableClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What those who push on top of a nameservice make of replies that are lost. */
class LostPushesTest {
    private static final Alias DB = Alias.parse("mydb");
    private final OntologiaException lost =
            new OntologiaException(ErrorKind.UNKNOWN_OUTCOME, "cannot tell", "the reply was lost", "read");

    private enum Fate {
        LANDS,
        LANDS_LATE,
        NEVER_LANDS
    }

    private final SettableClock clock = new SettableClock();
    private final Nameservice memory =
            Nameservices.open("memory:", NameserviceOptions.defaults().clock(clock));
    /** What becomes of the next pushes, whose replies are all lost. */
    private final Queue<Fate> fates = new ArrayDeque<>();

    private boolean readable = true;
    private Runnable late = () -> {};

    private final Nameservice names = new ForwardingNameservice(memory) {
        @Override
        public PushOutcome push(Alias alias, Concern concern, ConcernValue expected, ConcernValue next) {
            late.run();
            late = () -> {};
            Fate fate = concern == Concern.INDEX ? fates.poll() : null;
            if (fate == null) {
                return super.push(alias, concern, expected, next);
            }
            if (fate == Fate.LANDS) {
                memory.push(alias, concern, expected, next);
            } else if (fate == Fate.LANDS_LATE) {
                late = () -> memory.push(alias, concern, expected, next);
            }
            return new PushOutcome.Unknown(lost);
        }

        @Override
        public Optional<ConcernValue> concern(Alias alias, Concern concern) {
            if (!readable) {
                throw new OntologiaException(ErrorKind.UNAVAILABLE, "cannot read", "cut off", "try again");
            }
            return super.concern(alias, concern);
        }
    };

    private final Publisher publisher = new Publisher(names, clock, new SplittableRandom(1));

    @BeforeEach
    void create() {
        memory.create(NewRecord.ledger(DB));
    }

    @Test
    void a_push_that_landed_without_a_reply_is_published() {
        fates.add(Fate.LANDS);

        assertThat(bump()).isEqualTo(new PublishOutcome.Published(counted(1, 1)));
    }

    @Test
    void a_push_that_lands_after_it_was_looked_for_is_not_made_twice() {
        fates.add(Fate.LANDS_LATE);

        assertThat(bump()).isEqualTo(new PublishOutcome.Published(counted(1, 1)));
        assertThat(index()).isEqualTo(counted(1, 1));
    }

    @Test
    void a_push_that_never_landed_is_made_again() {
        fates.add(Fate.NEVER_LANDS);

        assertThat(bump()).isEqualTo(new PublishOutcome.Published(counted(1, 1)));
    }

    @Test
    void a_push_that_cannot_be_looked_for_is_unknown_and_no_failure() {
        fates.add(Fate.LANDS);
        PublishOutcome outcome = publisher.change(DB, Concern.INDEX, actual -> {
            readable = false;
            return Optional.of(ConcernPayload.of(Map.of("n", 1)));
        });

        assertThat(outcome).isEqualTo(new PublishOutcome.Unknown(lost));
        assertThat(index()).isEqualTo(counted(1, 1));
    }

    @Test
    void an_index_that_landed_without_a_reply_is_published() {
        SoftLock lock = claimed();
        fates.add(Fate.LANDS);

        assertThat(lock.publishIndex(ConcernPayload.of(Map.of("n", 1)))).isEqualTo(new LockOutcome.Done(counted(1, 1)));
        assertThat(lock.publishIndex(ConcernPayload.of(Map.of("n", 2)))).isEqualTo(new LockOutcome.Done(counted(2, 2)));
    }

    @Test
    void a_holder_that_publishes_again_does_not_conflict_with_its_own_index() {
        SoftLock lock = claimed();
        fates.add(Fate.LANDS_LATE);

        LockOutcome first = lock.publishIndex(ConcernPayload.of(Map.of("n", 1)));
        LockOutcome again = lock.publishIndex(ConcernPayload.of(Map.of("n", 1)));
        fates.add(Fate.LANDS_LATE);
        LockOutcome second = lock.publishIndex(ConcernPayload.of(Map.of("n", 2)));
        LockOutcome another = lock.publishIndex(ConcernPayload.of(Map.of("n", 3)));

        assertThat(first).isInstanceOf(LockOutcome.Unknown.class);
        assertThat(again).isEqualTo(new LockOutcome.Done(counted(1, 1)));
        assertThat(second).isInstanceOf(LockOutcome.Unknown.class);
        assertThat(another).isEqualTo(new LockOutcome.Done(counted(3, 3)));
    }

    private PublishOutcome bump() {
        return publisher.change(
                DB,
                Concern.INDEX,
                actual -> Optional.of(ConcernPayload.of(Map.of(
                        "n",
                        actual.payload()
                                        .flatMap(payload -> payload.integer("n"))
                                        .orElse(0L)
                                + 1))));
    }

    private SoftLock claimed() {
        ClaimOutcome outcome = new SoftLocks(names, clock, new SplittableRandom(1))
                .claim(DB, LockKind.INDEX, "indexer", 1, Duration.ofMinutes(3));
        return ((ClaimOutcome.Claimed) outcome).lock();
    }

    private ConcernValue index() {
        return memory.concern(DB, Concern.INDEX).orElseThrow();
    }

    private static ConcernValue counted(long watermark, long n) {
        return ConcernValue.of(watermark, Map.of("n", n));
    }
}
