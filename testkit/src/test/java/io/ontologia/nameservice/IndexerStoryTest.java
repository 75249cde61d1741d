package io.ontologia.nameservice;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.testkit.SettableClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A transactor, two indexers and a reader who share nothing but a folder. */
class IndexerStoryTest {
    private static final Alias DB = Alias.parse("mydb");
    private static final Duration TTL = Duration.ofMinutes(5);

    @TempDir
    private Path folder;

    private final SettableClock clock = new SettableClock();
    private Nameservice transactor;
    private Nameservice indexer;
    private Nameservice reader;

    @BeforeEach
    void open() {
        transactor = client();
        indexer = client();
        reader = client();
    }

    @AfterEach
    void close() {
        transactor.close();
        indexer.close();
        reader.close();
    }

    @Test
    void a_commit_wakes_an_indexer_and_when_it_dies_another_one_finishes() {
        transactor.create(NewRecord.ledger(DB));
        Watermarks known = reader.watermarks(DB).orElseThrow();
        Subscriptions wakes = new Subscriptions(indexer);
        Subscription subscription = wakes.subscribe(NameFilter.all().concern(Concern.HEAD));
        drain(subscription);

        new Publisher(transactor, clock, new SplittableRandom(1))
                .fastForward(DB, Concern.HEAD, ConcernValue.of(42, Map.of("address", "c42", "t", 42)));
        wakes.poller(Duration.ofSeconds(1)).step();
        NameEvent.Moved woken = (NameEvent.Moved) subscription.poll().orElseThrow();
        SoftLock first = claim("indexer-1", woken.value().watermark());
        first.progress(0.5);
        // Here the first indexer dies, or so it seems.
        clock.advance(TTL.multipliedBy(2));
        SoftLock second = claim("indexer-2", 42);
        LockOutcome published =
                second.publishIndex(ConcernPayload.of(Map.of("default", Map.of("address", "i42", "t", 42, "rev", 0))));
        LockOutcome released = second.release();
        LockOutcome late =
                first.publishIndex(ConcernPayload.of(Map.of("default", Map.of("address", "half", "t", 42, "rev", 0))));

        assertThat(published).isInstanceOf(LockOutcome.Done.class);
        assertThat(released).isInstanceOf(LockOutcome.Done.class);
        assertThat(late).isInstanceOf(LockOutcome.Lost.class);
        assertThat(reader.watermarks(DB).orElseThrow().movedSince(known))
                .containsExactlyInAnyOrder(Concern.HEAD, Concern.INDEX, Concern.STATUS);
        assertThat(reader.concern(DB, Concern.INDEX)
                        .orElseThrow()
                        .payload()
                        .orElseThrow()
                        .object("default"))
                .contains(ConcernPayload.of(Map.of("address", "i42", "t", 42, "rev", 0)));
        assertThat(reader.lookup(DB).orElseThrow().state()).contains("ready");
    }

    private Nameservice client() {
        return Nameservices.open(
                "file://" + folder + "?layout=C", NameserviceOptions.defaults().clock(clock));
    }

    private SoftLock claim(String holder, long t) {
        ClaimOutcome outcome = new SoftLocks(indexer, clock, new SplittableRandom(holder.hashCode()))
                .claim(DB, LockKind.INDEX, holder, t, TTL);
        return ((ClaimOutcome.Claimed) outcome).lock();
    }

    private static void drain(Subscription subscription) {
        Optional<NameEvent> event;
        do {
            event = subscription.poll();
        } while (event.isPresent());
    }
}
