package io.ontologia.naming;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Entity;
import io.ontologia.core.Key;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.ClaimOutcome;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernPayload;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.LockKind;
import io.ontologia.nameservice.LockOutcome;
import io.ontologia.nameservice.NameEvent;
import io.ontologia.nameservice.NameFilter;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.NameserviceOptions;
import io.ontologia.nameservice.Nameservices;
import io.ontologia.nameservice.SoftLock;
import io.ontologia.nameservice.SoftLocks;
import io.ontologia.nameservice.Subscription;
import io.ontologia.nameservice.Subscriptions;
import io.ontologia.nameservice.Watermarks;
import io.ontologia.testkit.SettableClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From a commit to a reader with a new index, across processes that share nothing but a nameservice. */
class StoreStoryTest {
    private static final Alias SHOP = Alias.parse("shop");
    private static final Duration TTL = Duration.ofMinutes(5);

    /** Something to commit. */
    record Note(@Key String id, long n) implements Entity {}

    @TempDir
    Path folder;

    private final SettableClock clock = new SettableClock();

    private Nameservice names(String layout) {
        return Nameservices.open(
                "file://" + folder.resolve("names") + "?layout=" + layout,
                NameserviceOptions.defaults().clock(clock));
    }

    @ParameterizedTest
    @ValueSource(strings = {"A", "B", "C"})
    void a_commit_leads_to_an_index_even_when_an_indexer_dies_half_way(String layout) {
        try (Nameservice transactor = names(layout);
                Nameservice indexer = names(layout);
                Nameservice reader = names(layout)) {
            commit(transactor, 1);
            Watermarks known = reader.watermarks(SHOP).orElseThrow();
            Subscriptions wakes = new Subscriptions(indexer);
            Subscription subscription =
                    wakes.subscribe(NameFilter.all().alias(SHOP).concern(Concern.HEAD));
            drain(subscription);

            commit(transactor, 2);
            wakes.poller(Duration.ofSeconds(1)).step();

            NameEvent.Moved woken = (NameEvent.Moved) subscription.poll().orElseThrow();
            assertThat(woken.value().watermark()).isEqualTo(2);
            SoftLock dying = claim(indexer, "indexer-1");
            assertThat(dying.progress(0.5)).isInstanceOf(LockOutcome.Done.class);
            assertThat(new SoftLocks(reader, clock, new SplittableRandom(2)).claim(SHOP, LockKind.INDEX, "x", 2, TTL))
                    .isInstanceOf(ClaimOutcome.Held.class);
            clock.advance(TTL.multipliedBy(2));
            SoftLock finishing = claim(indexer, "indexer-2");
            assertThat(finishing.publishIndex(index("whole"))).isInstanceOf(LockOutcome.Done.class);
            assertThat(finishing.release()).isInstanceOf(LockOutcome.Done.class);
            assertThat(dying.publishIndex(index("half"))).isInstanceOf(LockOutcome.Lost.class);
            assertThat(dying.refresh()).isInstanceOf(LockOutcome.Lost.class);

            Watermarks now = reader.watermarks(SHOP).orElseThrow();
            assertThat(now.movedSince(known)).containsExactlyInAnyOrder(Concern.HEAD, Concern.INDEX, Concern.STATUS);
            assertThat(reader.concern(SHOP, Concern.INDEX)
                            .flatMap(ConcernValue::payload)
                            .flatMap(payload -> payload.object("default"))
                            .flatMap(part -> part.text("address")))
                    .contains("whole");
            assertThat(reader.lookup(SHOP).orElseThrow().state()).contains("ready");
        }
    }

    @Test
    void nobody_is_woken_by_what_did_not_happen() {
        try (Nameservice names = names("B")) {
            commit(names, 1);
            Subscriptions wakes = new Subscriptions(names);
            Subscription subscription = wakes.subscribe(NameFilter.all().alias(SHOP));
            drain(subscription);

            commit(wakes.observed(), 1);
            wakes.poller(Duration.ofSeconds(1)).step();

            assertThat(subscription.poll()).isEmpty();
        }
    }

    private void commit(Nameservice names, long n) {
        SessionOptions options = SessionOptions.defaults().layer(StoreNaming.of(names, SHOP));
        try (Session session = Ontologia.open("sqlite:///" + folder.resolve("shop.db"), options, Note.class)) {
            session.ensure(new Note("a", n));
            session.commit();
        }
    }

    private SoftLock claim(Nameservice names, String holder) {
        ClaimOutcome outcome = new SoftLocks(names, clock, new SplittableRandom(holder.hashCode()))
                .claim(SHOP, LockKind.INDEX, holder, 2, TTL);
        assertThat(outcome).isInstanceOf(ClaimOutcome.Claimed.class);
        return ((ClaimOutcome.Claimed) outcome).lock();
    }

    private static ConcernPayload index(String address) {
        return ConcernPayload.of(Map.of("default", Map.of("address", address, "t", 2, "rev", 0)));
    }

    private static void drain(Subscription subscription) {
        Optional<NameEvent> event = subscription.poll();
        while (event.isPresent()) {
            event = subscription.poll();
        }
    }
}
