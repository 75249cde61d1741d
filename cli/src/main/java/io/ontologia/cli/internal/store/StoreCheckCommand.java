package io.ontologia.cli.internal.store;

import io.ontologia.cli.internal.CommandFailure;
import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.access.ObjectAccess;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.cli.internal.output.Styled;
import io.ontologia.cli.internal.output.Tone;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.StoreCapabilities;
import io.ontologia.objectstore.StoreCapabilities.ConditionalDelete;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;

/** {@code onto store check}. */
@Command(
        name = "check",
        description = {
            "Find out whether an object store enforces conditional writes, also in a race, and how long a request takes. "
                    + "Writes some small objects below meta/probe/ and removes them again."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto store check --storage-uri s3://bucket/prefix",
            "  onto store check --storage-uri file:///var/lib/onto --json",
            "  onto store check --storage-uri s3://bucket --config minio.yaml"
        })
final class StoreCheckCommand implements OntoCommand {
    private static final int TIMED_READS = 9;

    private final Invocation invocation;

    StoreCheckCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        ObjectAccess access = ObjectAccess.of(invocation).orElseThrow(this::noObjectStore);
        try (ObjectStore store = access.open()) {
            StoreCapabilities seen = access.probe(store);
            print(store.location(), seen.conditionalDelete(), medianReadMillis(store));
        }
        return ExitCode.SUCCESS;
    }

    private CommandFailure noObjectStore() {
        return new CommandFailure(
                ExitCode.COMMAND_FAILED,
                new OntologiaException(
                        ErrorKind.INVALID_INPUT,
                        "cannot check " + invocation.settings().storage().uri(),
                        "it is a SQLite database, not an object store",
                        "name one with --storage-uri: s3://bucket/prefix, file:///folder or memory:"));
    }

    private double medianReadMillis(ObjectStore store) {
        long[] nanos = LongStream.generate(() -> {
                    long start = invocation.clock().monotonicNanos();
                    store.get("meta/probe/round-trip");
                    return invocation.clock().monotonicNanos() - start;
                })
                .limit(TIMED_READS)
                .sorted()
                .toArray();
        return Math.round(nanos[TIMED_READS / 2] / 1e3) / 1e3;
    }

    private void print(String location, ConditionalDelete delete, double readMillis) {
        String deleteWord = delete.name().toLowerCase(Locale.ROOT);
        Output output = invocation.output();
        if (output.format() == Output.Format.JSON) {
            Map<String, Object> report = new LinkedHashMap<>();
            report.put("ok", true);
            report.put("location", location);
            report.put("conditional_create", "enforced");
            report.put("conditional_replace", "enforced");
            report.put("conditional_delete", deleteWord);
            report.put("round_trip_ms", readMillis);
            output.json(report);
        }
        Styled enforced = new Styled("enforced", Tone.GOOD);
        output.table(
                List.of("check", "seen"),
                List.of(
                        List.of("location", location),
                        List.of("conditional create", enforced),
                        List.of("conditional replace", enforced),
                        List.of(
                                "conditional delete",
                                delete == ConditionalDelete.ENFORCED
                                        ? enforced
                                        : new Styled(deleteWord + " (locks are released without it)", Tone.WEAK)),
                        List.of("round trip", readMillis + " ms")));
    }
}
