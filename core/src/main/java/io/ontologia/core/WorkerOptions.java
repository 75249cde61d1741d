package io.ontologia.core;

import io.ontologia.core.spi.EventNames;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.opentelemetry.api.OpenTelemetry;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * How a worker works.
 *
 * @param namespace whose events it handles
 * @param events how the bus behaves
 * @param handlerLimit how long a handler may take for one event; then the attempt counts as failed, its commits are refused,
 *     and the event is handled again later
 * @param stopGrace how long {@link Worker#close} lets handlers finish
 * @param schedules what it fires by the clock; workers that share a namespace may share schedules
 * @param telemetry who is told of claims, times, retries, dead letters and lag, and gets a span for each event that a handler
 *     gets; names and ids only, never a payload
 * @param onFailure told, on the worker's threads, of trouble with the store that the worker will get over by trying again;
 *     must not throw. What handlers throw is kept on the bus instead
 */
public record WorkerOptions(
        String namespace,
        EventOptions events,
        Duration handlerLimit,
        Duration stopGrace,
        List<Schedule> schedules,
        OpenTelemetry telemetry,
        Consumer<? super RuntimeException> onFailure) {

    /**
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} for a bad namespace, times that make no sense, or two
     *     schedules of one id
     */
    public WorkerOptions {
        schedules = List.copyOf(schedules);
        EventNames.require("namespace", namespace);
        boolean twice = schedules.stream().map(Schedule::id).distinct().count() < schedules.size();
        if (handlerLimit.toMillis() < 1 || stopGrace.isNegative() || twice) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid worker options",
                    twice
                            ? "two schedules have the same id"
                            : "the limit of a handler must be at least 1 ms, and the grace at stopping not negative",
                    "correct them");
        }
    }

    /** The specification's options, five minutes for a handler, ten seconds for stopping; nobody is told of anything. */
    public static WorkerOptions of(String namespace) {
        return new WorkerOptions(
                namespace,
                EventOptions.defaults(),
                Duration.ofMinutes(5),
                Duration.ofSeconds(10),
                List.of(),
                OpenTelemetry.noop(),
                failure -> {});
    }

    /** The same with other options of the bus. */
    public WorkerOptions events(EventOptions other) {
        return new WorkerOptions(namespace, other, handlerLimit, stopGrace, schedules, telemetry, onFailure);
    }

    /** The same with another limit for handlers. */
    public WorkerOptions handlerLimit(Duration other) {
        return new WorkerOptions(namespace, events, other, stopGrace, schedules, telemetry, onFailure);
    }

    /** The same with another grace at stopping. */
    public WorkerOptions stopGrace(Duration other) {
        return new WorkerOptions(namespace, events, handlerLimit, other, schedules, telemetry, onFailure);
    }

    /** The same with these schedules. */
    public WorkerOptions schedules(Schedule... others) {
        return new WorkerOptions(namespace, events, handlerLimit, stopGrace, List.of(others), telemetry, onFailure);
    }

    /** The same with telemetry. */
    public WorkerOptions telemetry(OpenTelemetry other) {
        return new WorkerOptions(namespace, events, handlerLimit, stopGrace, schedules, other, onFailure);
    }

    /** The same, telling somebody of trouble. */
    public WorkerOptions onFailure(Consumer<? super RuntimeException> listener) {
        return new WorkerOptions(namespace, events, handlerLimit, stopGrace, schedules, telemetry, listener);
    }
}
