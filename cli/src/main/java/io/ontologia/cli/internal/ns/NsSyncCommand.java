package io.ontologia.cli.internal.ns;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.NameQuery;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.naming.Publication;
import io.ontologia.naming.StoreRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code onto ns sync}. */
@Command(
        name = "sync",
        description =
                "Bring the heads of records to the newest commits of their stores, for commits that could not be told.",
        footerHeading = "%nExamples:%n",
        footer = {"  onto ns sync", "  onto ns sync mydb --json"})
final class NsSyncCommand implements OntoCommand {
    private final Invocation invocation;

    @Mixin
    private final NsOption nameservice = new NsOption();

    @Parameters(arity = "0..1", paramLabel = "ALIAS", description = "Only this record.")
    private @Nullable String alias;

    NsSyncCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        List<Map<String, @Nullable Object>> report = new ArrayList<>();
        try (Nameservice names = nameservice.whole(invocation)) {
            NamedStores stores = new NamedStores(invocation, names);
            NamedStores.Found found = stores.find(alias, NameQuery.Secrets.SHOWN);
            found.unreadable()
                    .forEach(one -> report.add(
                            line(one.place(), "unreadable", null, one.reason().getMessage())));
            for (NameRecord record : found.records()) {
                if (alias != null
                        || (!record.isRetracted()
                                && StoreRecord.storageUri(record).isPresent())) {
                    report.add(sync(stores, names, record));
                }
            }
        }
        Output output = invocation.output();
        if (output.format() == Output.Format.JSON) {
            output.json(report);
        } else {
            List<List<@Nullable Object>> rows = new ArrayList<>();
            report.forEach(line -> rows.add(new ArrayList<>(line.values())));
            output.table(List.of("alias", "outcome", "head", "reason"), rows);
        }
        boolean good = report.stream().allMatch(line -> line.get("reason") == null);
        return good ? ExitCode.SUCCESS : ExitCode.MISMATCH;
    }

    private static Map<String, @Nullable Object> sync(NamedStores stores, Nameservice names, NameRecord record) {
        try {
            String uri = StoreRecord.requireStorageUri(record);
            Publication publication = new StoreRecord(names, record.alias(), uri).bring(stores.head(uri));
            if (publication instanceof Publication.Moved moved) {
                return line(record, "moved", moved.t(), null);
            }
            return publication instanceof Publication.Level
                    ? line(record, "level", record.head().watermark(), null)
                    : line(
                            record,
                            "diverged",
                            record.head().watermark(),
                            ((Publication.Diverged) publication).reason());
        } catch (OntologiaException e) {
            return line(record, "failed", record.head().watermark(), e.getMessage());
        }
    }

    private static Map<String, @Nullable Object> line(
            NameRecord record, String outcome, long head, @Nullable String reason) {
        return line(record.alias().toString(), outcome, head, reason);
    }

    private static Map<String, @Nullable Object> line(
            String place, String outcome, @Nullable Long head, @Nullable String reason) {
        Map<String, @Nullable Object> line = new LinkedHashMap<>();
        line.put("pk", place);
        line.put("outcome", outcome);
        line.put("head_v", head);
        line.put("reason", reason);
        return line;
    }
}
