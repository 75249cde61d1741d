package io.ontologia.store.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Claim;
import io.ontologia.core.Event;
import io.ontologia.core.EventOptions;
import io.ontologia.core.NewEvent;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.spi.ClaimRequest;
import io.ontologia.core.spi.EventStore;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.Payload;
import io.ontologia.store.object.internal.Threads;
import io.ontologia.testkit.SettableClock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Dead letters that workers owed when they died, more of them than there are threads to write them. */
class OwedDeadLettersTest {
    private static final int TRANSFERS = 2;
    private static final int OWED = 5;

    private final SettableClock clock = new SettableClock();
    private final ObjectStore server = ObjectStores.open("memory:", clock);
    private final ExecutorService transfers = Executors.newFixedThreadPool(TRANSFERS);
    private final ExecutorService upkeep = Executors.newSingleThreadExecutor();
    private final ExecutorService worker = Executors.newSingleThreadExecutor();
    private final Session session = Ontologia.openStored(
            TestStoreProvider.uriOf(server, () -> new Threads(transfers, upkeep, false)),
            SessionOptions.defaults().storage(StorageOptions.defaults().clock(clock)));
    private final EventStore bus = session.storage().events(EventOptions.defaults());

    @AfterEach
    void close() {
        List.of(worker, transfers, upkeep).forEach(ExecutorService::shutdownNow);
        session.close();
    }

    private void owe(Event event) {
        server.put("claims/shop/" + event.id() + "/handler.json", Payload.of("""
                {"event_id": "%s", "handler_id": "handler", "session_id": "dead",
                 "claimed_at": "2025-01-01T00:00:00+00:00", "lease_until": "2025-01-01T00:00:30+00:00",
                 "ack_at": null, "attempts": 10, "available_at": "2025-01-01T00:00:00+00:00",
                 "last_error": "no", "dead_lettered_at": null, "failed_at": "2025-01-01T00:00:00+00:00"}""".formatted(event.id())));
    }

    private List<Claim> claim(String type) throws Exception {
        Future<List<Claim>> claims = worker.submit(() -> bus.claim(new ClaimRequest(
                "shop", "worker", List.of(new ClaimRequest.Subscription("handler", Set.of(type), 100)))));
        return claims.get(1, TimeUnit.MINUTES);
    }

    @Test
    void all_that_are_owed_are_written_however_few_threads_there_are() throws Exception {
        bus.enqueue(IntStream.range(0, OWED)
                        .mapToObj(n -> NewEvent.of("shop", "order", Map.of("n", (long) n)))
                        .toList())
                .forEach(this::owe);

        List<Claim> again = claim("order");

        assertThat(again).isEmpty();
        assertThat(bus.deadLetters("shop", 100)).hasSize(OWED);
        assertThat(claim(Event.DEAD_LETTER)).hasSize(OWED);
    }
}
