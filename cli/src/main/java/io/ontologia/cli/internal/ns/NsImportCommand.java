package io.ontologia.cli.internal.ns;

import io.ontologia.cli.internal.CommandFailure;
import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.LineFile;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.spi.RecordJson;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code onto ns import}. */
@Command(
        name = "import",
        description =
                "Bring records of an exported file into a nameservice: create those that are not there, move concerns forward "
                        + "that are behind, and tell those that went another way. Shows what it would do without --apply. May be run again.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto ns import --input names.jsonl --ns dynamodb://names",
            "  onto ns import --input names.jsonl --ns dynamodb://names --apply"
        })
final class NsImportCommand implements OntoCommand {
    private final Invocation invocation;

    @Mixin
    private final NsOption nameservice = new NsOption();

    @Option(names = "--input", paramLabel = "FILE", required = true, description = "What 'export' wrote.")
    private Path file = Path.of("");

    @Option(names = "--apply", description = "Do it.")
    private boolean apply;

    NsImportCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        List<NameRecord> records = read();
        List<Map<String, @Nullable Object>> report = new ArrayList<>();
        boolean conflicts = false;
        @Nullable String stopped = null;
        try (Nameservice names = nameservice.whole(invocation)) {
            RecordImport target = new RecordImport(names, invocation.clock(), apply);
            for (NameRecord record : records) {
                RecordImport.Result result = stopped == null
                        ? attempt(target, record)
                        : new RecordImport.Result("left", "the import stopped before it");
                if (result.outcome().equals("stopped")) {
                    stopped = result.reason();
                }
                conflicts |= !List.of("created", "moved", "same").contains(result.outcome());
                Map<String, @Nullable Object> line = new LinkedHashMap<>();
                line.put("pk", record.alias().toString());
                line.put("outcome", result.outcome());
                line.put("reason", result.reason());
                report.add(line);
            }
        }
        Output output = invocation.output();
        if (output.format() == Output.Format.JSON) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("records", report);
            document.put("applied", apply);
            output.json(document);
        } else {
            List<List<@Nullable Object>> rows = new ArrayList<>();
            report.forEach(line -> rows.add(new ArrayList<>(line.values())));
            output.table(List.of("alias", apply ? "outcome" : "would be", "reason"), rows);
            if (!apply) {
                output.line("");
                output.line("nothing was changed; add --apply to do it");
            }
        }
        return conflicts ? ExitCode.IMPORT_REFUSED : ExitCode.SUCCESS;
    }

    /** What became of one record. An error of one record does not stop the others; one of the nameservice does. */
    private static RecordImport.Result attempt(RecordImport target, NameRecord record) {
        try {
            return target.bring(record);
        } catch (OntologiaException e) {
            boolean stops = e.kind() == ErrorKind.UNAVAILABLE || e.kind() == ErrorKind.CLOSED;
            return new RecordImport.Result(stops ? "stopped" : "failed", e.getMessage());
        }
    }

    /** All of it, before anything is changed: one bad line and nothing happens. */
    private List<NameRecord> read() {
        List<NameRecord> records = new ArrayList<>();
        try {
            LineFile.forEachLine(file, (number, line) -> {
                String place = file + ", line " + number;
                records.add(RecordJson.read(place, JsonObject.parse(place, line).fields()));
            });
            return records;
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    new OntologiaException(
                            ErrorKind.INVALID_INPUT,
                            "cannot read " + file,
                            e instanceof NoSuchFileException ? "it is not there" : String.valueOf(e.getMessage()),
                            "name a file that 'onto ns export' wrote",
                            e));
        } catch (OntologiaException e) {
            throw new CommandFailure(ExitCode.USAGE, e);
        }
    }
}
