package io.ontologia.server.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.EntityType;
import io.ontologia.nameservice.NameEvent;
import io.ontologia.nameservice.NameFilter;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.Nameservices;
import io.ontologia.nameservice.Subscriptions;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WatchTest {
    private static final int MIB = 1 << 20;

    private final Nameservice names = Nameservices.open("memory:");
    private final Watch watch =
            new Watch("id", NameFilter.all(), new Subscriptions(names).subscribe(NameFilter.all()), 100);

    @AfterEach
    void close() {
        watch.close();
        names.close();
    }

    @Test
    void large_events_are_kept_only_up_to_a_size() {
        for (int i = 1; i <= 10; i++) {
            watch.keep(moved(i, MIB));
        }

        assertThat(watch.after(0)).extracting(Watch.Sent::number).containsExactly(8L, 9L, 10L);
        assertThat(watch.canGoOnAfter(7)).isTrue();
        assertThat(watch.canGoOnAfter(6)).isFalse();
    }

    @Test
    void the_last_event_is_kept_whatever_its_size() {
        watch.keep(moved(1, 10));
        watch.keep(moved(2, 5 * MIB));

        assertThat(watch.after(0)).extracting(Watch.Sent::number).containsExactly(2L);
    }

    @Test
    void small_events_are_kept_up_to_a_number() {
        for (int i = 1; i <= 2000; i++) {
            watch.keep(moved(i, 10));
        }

        assertThat(watch.after(0)).hasSize(1024);
    }

    @Test
    void nobody_connects_to_a_watch_that_was_closed() {
        long connection = watch.attach();
        watch.detach(connection, 200);
        boolean abandoned = watch.closeIfAbandoned(Duration.ofMinutes(2).toNanos(), Duration.ofMinutes(1));

        assertThat(abandoned).isTrue();
        assertThat(watch.attach()).isEqualTo(Watch.NONE);
        assertThat(watch.isCurrent(Watch.NONE)).isFalse();
    }

    @Test
    void a_watch_that_nobody_connected_to_yet_gets_its_time_too() {
        assertThat(watch.closeIfAbandoned(100 + Duration.ofSeconds(59).toNanos(), Duration.ofMinutes(1)))
                .isFalse();
    }

    private static NameEvent moved(long watermark, int size) {
        return new NameEvent.Moved(
                Alias.parse("a"),
                EntityType.LEDGER,
                Concern.INDEX,
                ConcernValue.of(watermark, Map.of("x", "x".repeat(size))));
    }
}
