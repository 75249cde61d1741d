package io.ontologia.core.internal.events;

import io.ontologia.core.Claim;
import io.ontologia.core.ClaimOutcome;
import io.ontologia.core.Event;
import io.ontologia.kernel.Clock;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.LongCounter;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** What a worker tells of its work: counts, times, and a span for each event that a handler gets. Never a payload. */
final class WorkerTelemetry {
    private static final String NAME = "io.ontologia.events";
    private static final AttributeKey<String> NAMESPACE = AttributeKey.stringKey("ontologia.namespace");
    private static final AttributeKey<String> HANDLER = AttributeKey.stringKey("ontologia.handler");
    private static final AttributeKey<String> EVENT_TYPE = AttributeKey.stringKey("ontologia.event.type");
    private static final AttributeKey<String> EVENT_ID = AttributeKey.stringKey("ontologia.event.id");
    private static final AttributeKey<String> ROOT_EVENT_ID = AttributeKey.stringKey("ontologia.event.root_id");
    private static final AttributeKey<Long> CHAIN_DEPTH = AttributeKey.longKey("ontologia.event.chain_depth");
    private static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("ontologia.outcome");

    private final Clock clock;
    private final Tracer tracer;
    private final LongCounter claims;
    private final LongCounter retries;
    private final LongCounter deadLetters;
    private final DoubleHistogram handling;
    private final DoubleHistogram lag;

    WorkerTelemetry(OpenTelemetry telemetry, Clock clock) {
        this.clock = clock;
        this.tracer = telemetry.getTracer(NAME);
        Meter meter = telemetry.getMeter(NAME);
        this.claims = counter(meter, "ontologia.events.claims", "Events claimed");
        this.retries = counter(meter, "ontologia.events.retries", "Failures after which an event is handled again");
        this.deadLetters = counter(meter, "ontologia.events.dead_letters", "Events that a handler gave up on");
        this.handling = histogram(meter, "ontologia.events.handler.duration", "How long a handler takes for an event");
        this.lag = histogram(meter, "ontologia.events.lag", "From an event's creation to the start of its handler");
    }

    private static LongCounter counter(Meter meter, String name, String description) {
        return meter.counterBuilder(name)
                .setUnit("{event}")
                .setDescription(description)
                .build();
    }

    private static DoubleHistogram histogram(Meter meter, String name, String description) {
        return meter.histogramBuilder(name)
                .setUnit("s")
                .setDescription(description)
                .build();
    }

    private static Attributes attributes(Claim claim) {
        return Attributes.of(
                NAMESPACE,
                claim.event().namespace(),
                HANDLER,
                claim.handlerId(),
                EVENT_TYPE,
                claim.event().type());
    }

    void claimed(List<Claim> some) {
        some.forEach(claim -> claims.add(1, attributes(claim)));
    }

    /** Runs a handler inside a span, and measures it. */
    Optional<Throwable> handling(Claim claim, Supplier<Optional<Throwable>> handler) {
        Event event = claim.event();
        lag.record(seconds(Duration.between(event.createdAt(), clock.now())), attributes(claim));
        Span span = tracer.spanBuilder("handle " + event.type())
                .setSpanKind(SpanKind.CONSUMER)
                .setAllAttributes(attributes(claim))
                .setAttribute(EVENT_ID, event.id())
                .setAttribute(ROOT_EVENT_ID, event.rootEventId())
                .setAttribute(CHAIN_DEPTH, event.chainDepth())
                .startSpan();
        long start = clock.monotonicNanos();
        try {
            Optional<Throwable> failure =
                    Context.current().with(span).wrapSupplier(handler).get();
            failure.ifPresent(thrown -> {
                span.recordException(thrown);
                span.setStatus(StatusCode.ERROR);
            });
            Attributes how = attributes(claim).toBuilder()
                    .put(OUTCOME, failure.isEmpty() ? "done" : "failed")
                    .build();
            handling.record(seconds(Duration.ofNanos(clock.monotonicNanos() - start)), how);
            return failure;
        } finally {
            span.end();
        }
    }

    void released(Claim claim, ClaimOutcome outcome) {
        if (outcome instanceof ClaimOutcome.Retry) {
            retries.add(1, attributes(claim));
        } else if (outcome instanceof ClaimOutcome.DeadLettered) {
            deadLetters.add(1, attributes(claim));
        }
    }

    private static double seconds(Duration duration) {
        return Math.max(0, duration.toNanos() / 1e9);
    }
}
