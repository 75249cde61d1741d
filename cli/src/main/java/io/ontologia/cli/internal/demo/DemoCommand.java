package io.ontologia.cli.internal.demo;

import io.ontologia.cli.internal.CommandFailure;
import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.TextFile;
import io.ontologia.cli.internal.UsageError;
import io.ontologia.cli.internal.output.JsonListWriter;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.FileModes;
import io.ontologia.kernel.OntologiaException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code onto demo}. */
@Command(
        name = "demo",
        description =
                "A guided tour: make a small store with some history, and show what can be done with it. Prints every command "
                        + "that it runs, and what that says.",
        footerHeading = "%nExamples:%n",
        footer = {"  onto demo", "  onto demo --keep tour"})
public final class DemoCommand implements OntoCommand {
    private final Invocation invocation;

    @Option(
            names = "--keep",
            paramLabel = "DIR",
            description = "Work in this new or empty folder and leave everything there, to go on by hand.")
    private @Nullable String keep;

    DemoCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        try {
            if (keep != null) {
                tell(keptFolder(keep));
                return ExitCode.SUCCESS;
            }
            Path folder = FileModes.createTempDirectory("onto-demo");
            try {
                tell(folder);
            } finally {
                delete(folder);
            }
            return ExitCode.SUCCESS;
        } catch (IOException e) {
            throw TextFile.unwritable("the demonstration", keep == null ? "the temporary folder" : keep, e);
        }
    }

    private static Path keptFolder(String name) throws IOException {
        Path folder = TextFile.path("--keep", name);
        if (Files.exists(folder)) {
            try (Stream<Path> content = Files.isDirectory(folder) ? Files.list(folder) : Stream.of(folder)) {
                if (content.findAny().isPresent()) {
                    throw new UsageError("--keep is '" + name + "', which is there and not empty", "name a new folder");
                }
            }
        }
        return FileModes.UMASK.createDirectories(folder);
    }

    private void tell(Path folder) throws IOException {
        for (String file : DemoStory.FILES) {
            try (InputStream resource = DemoCommand.class.getResourceAsStream(file)) {
                FileModes.UMASK.createFile(folder.resolve(file), Objects.requireNonNull(resource));
            }
        }
        if (invocation.output().format() == Output.Format.JSON) {
            tellPrograms(folder);
        } else {
            tellPeople(folder);
        }
    }

    private void tellPeople(Path folder) {
        Output output = invocation.output();
        output.line("A tour of Ontologia on a small store. Everything below is a real command and its answer.");
        int number = 1;
        for (DemoStep step : DemoStory.STEPS) {
            output.line("");
            output.heading(number++ + ". " + step.story());
            output.line("$ " + step.commandLine());
            output.document(run(step, folder).text());
        }
        output.line("");
        output.heading("What to try next");
        output.line(
                keep == null
                        ? "'onto demo --keep tour' leaves the store and its files in the folder 'tour'. There:"
                        : "cd " + folder);
        DemoStory.NEXT.forEach(line -> output.line("  " + line));
    }

    private void tellPrograms(Path folder) {
        JsonListWriter list = invocation.output().jsonList();
        for (DemoStep step : DemoStory.STEPS) {
            NestedRun run = run(step, folder);
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("story", step.story());
            document.put("command", step.commandLine());
            document.put("exit_code", run.exitCode());
            document.put("output", run.text());
            list.add(document);
        }
        list.end();
    }

    private NestedRun run(DemoStep step, Path folder) {
        NestedRun run = NestedRun.of(invocation, folder, step.argsIn(folder));
        if (run.exitCode() != step.expected().number()) {
            throw new CommandFailure(
                    ExitCode.UNEXPECTED,
                    new OntologiaException(
                            ErrorKind.CORRUPT,
                            "the demonstration failed at '" + step.commandLine() + "'",
                            "it exited with " + run.exitCode() + ": "
                                    + run.text().strip(),
                            "report this"));
        }
        return run;
    }

    private static void delete(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.walk(folder)) {
            all = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : all) {
            Files.delete(path);
        }
    }
}
