package io.ontologia.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.EventOptions;
import io.ontologia.core.Handlers;
import io.ontologia.core.NewEvent;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.Worker;
import io.ontologia.core.WorkerOptions;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.testkit.SettableClock;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.testing.junit5.OpenTelemetryExtension;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class WorkerTelemetryTest {
    @RegisterExtension
    static final OpenTelemetryExtension TELEMETRY = OpenTelemetryExtension.create();

    record Job(boolean broken) {}

    @TempDir
    Path folder;

    private final SettableClock clock = new SettableClock();
    private final List<String> spansOfHandlers = new ArrayList<>();

    @Test
    void claims_times_retries_dead_letters_and_lag_are_told() {
        SessionOptions options =
                SessionOptions.defaults().storage(StorageOptions.defaults().clock(clock));
        WorkerOptions work = WorkerOptions.of("shop")
                .events(EventOptions.of(Map.of("event_max_attempts", "2")))
                .telemetry(TELEMETRY.getOpenTelemetry());
        Handlers handlers = Handlers.none().on(Job.class, "work", (job, context) -> {
            spansOfHandlers.add(Span.current().getSpanContext().getSpanId());
            clock.advance(Duration.ofSeconds(2));
            if (job.broken()) {
                throw new IllegalStateException("broken");
            }
        });
        try (Session session = Ontologia.openStored("sqlite:///" + folder.resolve("onto.db"), options);
                Worker worker = Worker.of(session, work, handlers)) {
            session.storage()
                    .events(work.events())
                    .enqueue(List.of(
                            NewEvent.of("shop", new Job(false)).priority(200), NewEvent.of("shop", new Job(true))));
            clock.advance(Duration.ofSeconds(5));

            worker.step();
            clock.advance(Duration.ofMinutes(1));
            worker.step();
        }

        assertThat(sum("ontologia.events.claims")).isEqualTo(3);
        assertThat(sum("ontologia.events.retries")).isEqualTo(1);
        assertThat(sum("ontologia.events.dead_letters")).isEqualTo(1);
        assertThat(seconds("ontologia.events.handler.duration")).isEqualTo(6);
        // 5 s, then 2 s more for the first handler, then 2 s more and a minute.
        assertThat(seconds("ontologia.events.lag")).isEqualTo(5 + 7 + 69);
        assertThat(TELEMETRY.getSpans()).extracting(SpanData::getSpanId).containsExactlyElementsOf(spansOfHandlers);
        assertThat(TELEMETRY.getSpans()).allSatisfy(span -> {
            assertThat(span.getName()).isEqualTo("handle Job");
            assertThat(span.getAttributes().get(AttributeKey.stringKey("ontologia.handler")))
                    .isEqualTo("work");
        });
        assertThat(TELEMETRY.getSpans())
                .extracting(span -> span.getStatus().getStatusCode())
                .containsExactly(StatusCode.UNSET, StatusCode.ERROR, StatusCode.ERROR);
    }

    private static MetricData metric(String name) {
        return TELEMETRY.getMetrics().stream()
                .filter(metric -> metric.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static long sum(String name) {
        return metric(name).getLongSumData().getPoints().stream()
                .mapToLong(point -> point.getValue())
                .sum();
    }

    private static double seconds(String name) {
        return metric(name).getHistogramData().getPoints().stream()
                .mapToDouble(point -> point.getSum())
                .sum();
    }
}
