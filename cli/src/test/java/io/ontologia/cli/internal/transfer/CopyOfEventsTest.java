package io.ontologia.cli.internal.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.Backend;
import io.ontologia.cli.OntoRun;
import io.ontologia.cli.Workspace;
import io.ontologia.core.Claim;
import io.ontologia.core.EventNamespace;
import io.ontologia.core.EventOptions;
import io.ontologia.core.NewEvent;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.spi.ClaimRequest;
import io.ontologia.core.spi.EventStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A copy of a store takes its events along, and how far handlers are with them. */
class CopyOfEventsTest {
    @TempDir
    Path folder;

    private static void bus(String uri, Consumer<EventStore> work) {
        try (Session session = Ontologia.openStored(uri, SessionOptions.defaults())) {
            work.accept(session.storage().events(EventOptions.defaults()));
        }
    }

    private static List<Claim> claim(EventStore bus, int limit) {
        return bus.claim(new ClaimRequest(
                "shop", "worker", List.of(new ClaimRequest.Subscription("handler", Set.of("order"), limit))));
    }

    private static NewEvent order(long priority) {
        return NewEvent.of("shop", "order", Map.of("n", priority)).priority(priority);
    }

    @Test
    void what_was_done_stays_done_and_what_waits_is_there() {
        Workspace shop = Workspace.shop(folder, Backend.FOLDER);
        bus(shop.uri(), bus -> {
            bus.enqueue(List.of(order(2), order(1)));
            bus.ack(claim(bus, 1));
            bus.registerSession("shop", "worker", Map.of());
        });

        OntoRun copied = shop.run("copy", shop.uri(), shop.uri("copy")).succeeded();

        assertThat(copied.out()).contains("2 events with their claims");

        bus(shop.uri("copy"), bus -> {
            assertThat(bus.namespaces()).containsExactly(new EventNamespace("shop", 2, 1, 0));
            assertThat(claim(bus, 10)).extracting(one -> one.event().priority()).containsExactly(1L);
        });
    }
}
