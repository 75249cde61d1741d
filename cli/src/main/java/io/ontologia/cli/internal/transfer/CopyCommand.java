package io.ontologia.cli.internal.transfer;

import io.ontologia.cli.internal.CommandFailure;
import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.access.ObjectAccess;
import io.ontologia.cli.internal.access.OntologyAccess;
import io.ontologia.cli.internal.config.StorageLocation;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.core.Maintenance;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ObjectStore;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code onto copy}. */
@Command(
        name = "copy",
        description =
                "Copy a whole object store to an empty place: every commit with its id, time and metadata, every version of "
                        + "every row and schema. Then read both and compare. The store that is copied is only read.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto copy file:///var/lib/onto s3://bucket/prefix",
            "  onto copy s3://bucket/prefix file:///backup/onto --dry-run"
        })
public final class CopyCommand implements OntoCommand {
    private final Invocation invocation;

    @Parameters(index = "0", paramLabel = "FROM", description = "The storage URI of the store.")
    private String from = "";

    @Parameters(index = "1", paramLabel = "TO", description = "The storage URI of the place for the copy.")
    private String to = "";

    @Option(names = "--dry-run", description = "Say how much there is to copy, and change nothing.")
    private boolean dryRun;

    CopyCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        StorageLocation source = StorageLocation.parse(from);
        StorageLocation target = StorageLocation.parse(to);
        ObjectAccess fromObjects = objects(source);
        ObjectAccess toObjects = objects(target);
        // Before anything is created: is there something to copy at all?
        new OntologyAccess(invocation, source).inspect().close();
        ObjectCopy.Copied copied;
        try (ObjectStore reading = fromObjects.open();
                ObjectStore writing = toObjects.open()) {
            ObjectCopy copy = new ObjectCopy(reading, writing, invocation.output());
            if (dryRun) {
                print(copy.plan(), 0);
                return ExitCode.SUCCESS;
            }
            copy.requireRoom();
            toObjects.probe(writing);
            copied = copy.run();
        }
        print(copied, prove(source, target));
        return ExitCode.SUCCESS;
    }

    private ObjectAccess objects(StorageLocation location) {
        return ObjectAccess.of(invocation, location)
                .filter(access -> !location.isTransient())
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.COMMAND_FAILED,
                        new OntologiaException(
                                ErrorKind.INVALID_INPUT,
                                "cannot copy from or to " + StorageLocation.withoutSecrets(location.uri()),
                                "a whole history can only be copied between object stores that last (s3, file)",
                                "move what is true now with 'onto export' and 'onto import'")));
    }

    private long prove(StorageLocation source, StorageLocation target) {
        try (Maintenance original = new OntologyAccess(invocation, source).inspect();
                Maintenance copy = new OntologyAccess(invocation, target).inspect()) {
            return new CopyProof(original.storage(), copy.storage(), invocation.output()).run();
        }
    }

    private void print(ObjectCopy.Copied copied, long commits) {
        Output output = invocation.output();
        if (output.format() == Output.Format.JSON) {
            Map<String, Object> report = new LinkedHashMap<>();
            report.put("from", copied.from());
            report.put("to", copied.to());
            report.put("objects", copied.objects());
            report.put("bytes", copied.bytes());
            report.put("commits", commits);
            report.put("verified", !dryRun);
            output.json(report);
        }
        output.table(
                List.of("from", "to", "objects", "bytes"),
                List.of(List.of(copied.from(), copied.to(), copied.objects(), copied.bytes())));
        output.line("");
        output.line(
                dryRun
                        ? "nothing was copied; run the command without --dry-run"
                        : "compared and found the same: " + commits + " commits with all their rows and schemas");
    }
}
