package io.ontologia.cli.internal.transfer;

import io.ontologia.cli.internal.CommandFailure;
import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.access.ObjectAccess;
import io.ontologia.cli.internal.access.OntologyAccess;
import io.ontologia.cli.internal.config.StorageLocation;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.core.CopyResult;
import io.ontologia.core.Maintenance;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ObjectStore;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code onto copy}. */
@Command(
        name = "copy",
        description =
                "Copy a whole store to an empty place, on the same backend or another: every commit with its id, time and "
                        + "metadata, every version of every row and schema, and the event bus. Then read both and compare. "
                        + "The store that is copied is only read, and may be in use.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto copy sqlite:///onto.db s3://bucket/prefix",
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
        StorageLocation source = lasting(from);
        StorageLocation target = lasting(to);
        Optional<ObjectAccess> fromObjects = ObjectAccess.of(invocation, source);
        Optional<ObjectAccess> toObjects = ObjectAccess.of(invocation, target);
        if (fromObjects.isPresent() && toObjects.isPresent()) {
            copyObjects(source, target, fromObjects.get(), toObjects.get());
        } else {
            HistoryCopy copy = new HistoryCopy(invocation, source, target);
            CopyResult copied = dryRun ? copy.plan() : copy.run();
            Map<String, Object> report = new LinkedHashMap<>();
            report.put("from", StorageLocation.withoutSecrets(source.uri()));
            report.put("to", StorageLocation.withoutSecrets(target.uri()));
            report.put("types", copied.types());
            report.put("rows", copied.rows());
            print(report, copied.commits(), copied.events());
        }
        return ExitCode.SUCCESS;
    }

    private static StorageLocation lasting(String uri) {
        StorageLocation location = StorageLocation.parse(uri);
        if (location.isTransient()) {
            throw new CommandFailure(
                    ExitCode.COMMAND_FAILED,
                    new OntologiaException(
                            ErrorKind.INVALID_INPUT,
                            "cannot copy from or to " + uri,
                            "it is made for this run and gone after it",
                            "name a place that lasts: sqlite:///path.db, file:///folder or s3://bucket/prefix"));
        }
        return location;
    }

    private void copyObjects(
            StorageLocation source, StorageLocation target, ObjectAccess fromObjects, ObjectAccess toObjects) {
        // Before anything is created: is there something to copy at all?
        new OntologyAccess(invocation, source).inspect().close();
        ObjectCopy.Copied copied;
        long events;
        try (ObjectStore reading = fromObjects.open();
                ObjectStore writing = toObjects.open()) {
            ObjectCopy copy = new ObjectCopy(reading, writing, invocation.clock(), invocation.output());
            if (dryRun) {
                print(report(copy.plan()), 0, 0);
                return;
            }
            copy.requireRoom();
            toObjects.probe(writing);
            copied = copy.run();
            events = copy.events();
        }
        print(report(copied), prove(source, target), events);
    }

    private static Map<String, Object> report(ObjectCopy.Copied copied) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("from", copied.from());
        report.put("to", copied.to());
        report.put("objects", copied.objects());
        report.put("bytes", copied.bytes());
        return report;
    }

    private long prove(StorageLocation source, StorageLocation target) {
        try (Maintenance original = new OntologyAccess(invocation, source).inspect();
                Maintenance copy = new OntologyAccess(invocation, target).inspect()) {
            return new CopyProof(original.storage(), copy.storage(), invocation.output()).run();
        }
    }

    private void print(Map<String, Object> report, long commits, long events) {
        Output output = invocation.output();
        output.table(List.copyOf(report.keySet()), List.of(List.copyOf(report.values())));
        output.line("");
        output.line(
                dryRun
                        ? "nothing was copied; run the command without --dry-run"
                        : "compared and found the same: " + commits + " commits with all their rows and schemas"
                                + (events == 0 ? "" : ", and " + events + " events with their claims"));
        if (output.format() == Output.Format.JSON) {
            report.put("commits", commits);
            report.put("events", events);
            report.put("verified", !dryRun);
            output.json(report);
        }
    }
}
