package io.ontologia.cli.internal.views;

import io.ontologia.cli.internal.CommandFailure;
import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.access.Moment;
import io.ontologia.cli.internal.access.OntologyAccess;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.core.Explanation.DataFile;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.Session;
import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.Upkeep;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code onto export views}. */
@Command(
        name = "views",
        description =
                "Object stores only: print SQL that makes views of every type over the Parquet files, for another engine. For "
                        + "each type T there is T_history with every version of every row, and T with the latest ones; relations "
                        + "are called rel_T.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto export views --engine duckdb --storage-uri s3://bucket/prefix > views.sql",
            "  onto export views --engine spark --as-of 12 --storage-uri s3://bucket/prefix"
        })
public final class ExportViewsCommand implements OntoCommand {
    private final Invocation invocation;

    @Option(
            names = "--engine",
            required = true,
            paramLabel = "ENGINE",
            description = "Whose SQL to write: duckdb, spark or trino.")
    private ViewEngine engine = ViewEngine.DUCKDB;

    @Option(
            names = "--as-of",
            paramLabel = "N|TIME",
            description = "The state after this commit or at this time, in views called T_as_of_N.")
    private @Nullable String asOf;

    ExportViewsCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        Optional<Moment> moment = Optional.ofNullable(asOf).map(text -> Moment.parse("--as-of", text, invocation));
        OntologyAccess access = new OntologyAccess(invocation);
        try (Session session = access.read()) {
            Storage storage = session.storage();
            Upkeep upkeep = storage.upkeep().orElseThrow(() -> noFiles(access));
            OptionalLong commit = moment.isPresent()
                    ? OptionalLong.of(moment.get().commitIn(session, invocation.output()))
                    : OptionalLong.empty();
            print(storage, upkeep.files(commit), commit);
        }
        return ExitCode.SUCCESS;
    }

    private void print(Storage storage, Upkeep.Files files, OptionalLong commit) {
        ViewScript script = new ViewScript(engine, storage.location(), files.head(), commit);
        for (SchemaVersion schema : storage.schemas()) {
            List<DataFile> ofType = files.files().stream()
                    .filter(file -> file.type().equals(schema.type()))
                    .toList();
            script.add(schema.type(), storage.schemaVersions(schema.type()), ofType);
        }
        Output output = invocation.output();
        if (output.format() == Output.Format.JSON) {
            Map<String, Object> report = new LinkedHashMap<>();
            report.put("engine", engine.wireName());
            report.put("commit_id", commit.orElse(files.head()));
            report.put("files", files.files().size());
            report.put("sql", script.toString());
            output.json(report);
        }
        output.line(script.toString().stripTrailing());
    }

    private static CommandFailure noFiles(OntologyAccess access) {
        return new CommandFailure(
                ExitCode.COMMAND_FAILED,
                new OntologiaException(
                        ErrorKind.INVALID_INPUT,
                        "cannot export views of " + access.uri(),
                        "the " + access.backend()
                                + " backend keeps rows in a file of its own, only object stores (s3, file) have Parquet files",
                        "copy the store to one with 'onto copy', or open the file with SQLite itself"));
    }
}
