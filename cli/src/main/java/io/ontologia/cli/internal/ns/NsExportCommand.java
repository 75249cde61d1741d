package io.ontologia.cli.internal.ns;

import io.ontologia.cli.internal.CommandFailure;
import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.FileModes;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.NameQuery;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.Nameservice;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code onto ns export}. */
@Command(
        name = "export",
        description =
                "Write all records to a file, one JSON document a line. It holds configs with their secrets, so only its owner "
                        + "may read it.",
        footerHeading = "%nExamples:%n",
        footer = {"  onto ns export --output names.jsonl --ns file:///var/lib/names"})
final class NsExportCommand implements OntoCommand {
    private final Invocation invocation;

    @Mixin
    private final NsOption nameservice = new NsOption();

    @Option(names = "--output", paramLabel = "FILE", required = true, description = "The file; it must not exist.")
    private Path file = Path.of("");

    NsExportCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        NamedStores.Found found;
        try (Nameservice names = nameservice.whole(invocation)) {
            found = new NamedStores(invocation, names).find(null, NameQuery.Secrets.SHOWN);
        }
        if (!found.unreadable().isEmpty()) {
            throw new CommandFailure(
                    ExitCode.MISMATCH, found.unreadable().get(0).reason());
        }
        write(found.records().stream().map(NsExportCommand::line).collect(Collectors.joining()));
        Output output = invocation.output();
        if (output.format() == Output.Format.JSON) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("records", found.records().size());
            document.put("file", file.toString());
            output.json(document);
        } else {
            output.line("wrote " + found.records().size() + " records to " + file);
        }
        return ExitCode.SUCCESS;
    }

    private static String line(NameRecord record) {
        return CanonicalJson.write(NsDocuments.of(record)) + "\n";
    }

    private void write(String text) {
        try {
            FileModes.PRIVATE.createFile(file, new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        } catch (FileAlreadyExistsException e) {
            throw new CommandFailure(
                    ExitCode.COMMAND_FAILED,
                    new OntologiaException(ErrorKind.CONFLICT, "cannot write " + file, "it exists", "name a new file"));
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.COMMAND_FAILED,
                    new OntologiaException(
                            ErrorKind.UNAVAILABLE,
                            "cannot write " + file,
                            e instanceof NoSuchFileException
                                    ? "its folder is not there"
                                    : String.valueOf(e.getMessage()),
                            "name a file in a folder that is there and that you may write to",
                            e));
        }
    }
}
