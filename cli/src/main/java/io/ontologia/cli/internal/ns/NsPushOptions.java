package io.ontologia.cli.internal.ns;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.UsageError;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernPayload;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.NameNotFoundException;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.PushOutcome;
import io.ontologia.nameservice.Redaction;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What is pushed, and on what. */
final class NsPushOptions {
    @Option(names = "--payload", paramLabel = "JSON", required = true, description = "The new payload, a JSON object.")
    private String payload = "";

    @Option(
            names = "--expect",
            paramLabel = "N",
            description = "Only if the watermark is N now; 0 for what was never pushed.")
    private @Nullable Long expect;

    @Option(
            names = "--expect-payload",
            paramLabel = "JSON",
            description = "With --expect: only if this is the payload now.")
    private @Nullable String expectPayload;

    @Option(
            names = "--watermark",
            paramLabel = "N",
            description =
                    "The new watermark; by default t of a head's payload (sync_t of a graph source's, when it is higher than now), "
                            + "and one more than now for the others.")
    private @Nullable Long watermark;

    /** Checks the options, before anything is opened. */
    void check() {
        if (expectPayload != null && expect == null) {
            throw new UsageError("--expect-payload is given without --expect", "name the watermark too");
        }
        var unused = ConcernPayload.parse(payload);
    }

    /** Pushes, and prints what became of it. */
    ExitCode push(Invocation invocation, Nameservice names, Alias wanted, Concern what) {
        ConcernPayload content = ConcernPayload.parse(payload);
        Optional<ConcernPayload> expected = Optional.ofNullable(expectPayload).map(ConcernPayload::parse);
        ConcernValue current = names.concern(wanted, what).orElseThrow(() -> new NameNotFoundException(wanted));
        ConcernValue next = ConcernValue.of(watermark(what, content, current), content);
        boolean otherWatermark = expect != null && current.watermark() != expect;
        boolean otherPayload = expected.isPresent() && !expected.equals(current.payload());
        if (otherWatermark || otherPayload) {
            return conflict(invocation, wanted, what, current);
        }
        PushOutcome outcome = names.push(wanted, what, current, next);
        if (outcome instanceof PushOutcome.Conflict conflict) {
            return conflict(invocation, wanted, what, conflict.actual());
        }
        if (outcome instanceof PushOutcome.Unknown unknown) {
            throw unknown.reason();
        }
        Output output = invocation.output();
        if (output.format() == Output.Format.JSON) {
            output.json(NsDocuments.outcome("updated", "value", Redaction.of(what, next)));
        } else {
            output.line(what.wireName() + " of " + wanted + " is at " + next.watermark());
        }
        return ExitCode.SUCCESS;
    }

    private long watermark(Concern what, ConcernPayload content, ConcernValue current) {
        if (watermark != null) {
            return watermark;
        }
        if (what == Concern.HEAD && content.integer("t").isPresent()) {
            return content.integer("t").get();
        }
        // A graph source may be synchronized again at the same t.
        long synced = what == Concern.HEAD ? content.integer("sync_t").orElse(0L) : 0;
        return Math.max(synced, current.watermark() + 1);
    }

    private ExitCode conflict(Invocation invocation, Alias wanted, Concern what, ConcernValue actual) {
        Output output = invocation.output();
        if (output.format() == Output.Format.JSON) {
            Map<String, @Nullable Object> document =
                    NsDocuments.outcome("conflict", "actual", Redaction.of(what, actual));
            output.json(document);
            return ExitCode.STORAGE_FAILED;
        }
        throw new OntologiaException(
                ErrorKind.CONFLICT,
                "cannot push " + what.wireName() + " of " + wanted,
                "it is at " + actual.watermark()
                        + (expect != null && actual.watermark() == expect ? " with another payload" : " already"),
                "look at it with 'onto ns show', and push on top of that");
    }
}
