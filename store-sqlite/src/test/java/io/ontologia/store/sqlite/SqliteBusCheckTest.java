package io.ontologia.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Claim;
import io.ontologia.core.EventOptions;
import io.ontologia.core.Finding;
import io.ontologia.core.Maintenance;
import io.ontologia.core.NewEvent;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Progress;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.spi.ClaimRequest;
import io.ontologia.core.spi.EventStore;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A check of a file compares claims, dead letters and events with each other. */
class SqliteBusCheckTest {
    @TempDir
    Path folder;

    private RawFile file;

    /** Leaves one event that is finished, one that is dead, and one that is pending. */
    @BeforeEach
    void prepare() {
        file = new RawFile(folder.resolve("onto.db"));
        try (Session session = Ontologia.open(file.uri(), SessionOptions.defaults())) {
            EventStore bus = session.storage().events(EventOptions.of(Map.of("event_max_attempts", "1")));
            bus.enqueue(List.of(event("finished")));
            bus.ack(claim(bus));
            bus.enqueue(List.of(event("dead")));
            bus.release(claim(bus).get(0), "broken");
            bus.enqueue(List.of(event("pending")));
        }
    }

    private static NewEvent event(String id) {
        return NewEvent.of("shop", "order", Map.of()).identity(id, Instant.EPOCH);
    }

    private static List<Claim> claim(EventStore bus) {
        return bus.claim(new ClaimRequest(
                "shop", "worker", List.of(new ClaimRequest.Subscription("handler", Set.of("order"), 1))));
    }

    private List<String> problems() {
        try (Maintenance maintenance = Ontologia.maintain(file.uri(), SessionOptions.defaults())) {
            return maintenance.check(Progress.none()).stream()
                    .filter(Finding::isProblem)
                    .map(finding -> finding.code() + ": " + finding.example())
                    .toList();
        }
    }

    @Test
    void a_bus_in_order_has_no_findings_also_after_a_clean_up() {
        assertThat(problems()).isEmpty();

        try (Session session = Ontologia.open(file.uri(), SessionOptions.defaults())) {
            session.storage().events(EventOptions.defaults()).cleanup("shop", Instant.EPOCH.plusSeconds(1));
        }

        assertThat(file.column("SELECT event_id FROM dead_letters")).containsExactly("dead");
        assertThat(problems()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "dead_letters WHERE event_id = 'dead', missing-dead-letter: dead of handler",
        "event_claims WHERE event_id = 'dead', missing-claim: dead of handler",
        "events WHERE id = 'finished', claim-without-event: finished of handler"
    })
    void a_deleted_row_is_found_by_another_one(String what, String finding) {
        file.execute("DELETE FROM " + what);

        assertThat(problems()).containsExactly(finding);
    }
}
