package io.ontologia.cli.internal.demo;

import io.ontologia.cli.Onto;
import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code onto demo}: walks through the product by running its real commands on a small store. */
@Command(
        name = "demo",
        description =
                "Take a tour: make a small store, change it, and ask about its past. Shows each command that it runs.",
        footerHeading = "%nExamples:%n",
        footer = {"  onto demo", "  onto demo --keep tour"})
public final class DemoCommand implements OntoCommand {
    private static final List<String> FILES =
            List.of("models.yaml", "january.jsonl", "february.jsonl", "mistakes.jsonl");

    private final Invocation invocation;

    @Option(
            names = "--keep",
            paramLabel = "DIR",
            description = "Keep the store and its files in this new folder; otherwise they are removed at the end.")
    @Nullable Path keep;

    DemoCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        Output output = invocation.output();
        boolean json = output.format() == Output.Format.JSON;
        Path folder = makeFolder();
        try {
            List<Map<String, Object>> done = new ArrayList<>();
            output.line("A tour of Ontologia, a versioned knowledge store. It works in " + folder);
            output.line("");
            output.line("$ cd " + folder);
            for (DemoStep step : DemoStep.tour()) {
                output.line("");
                output.line("# " + step.story());
                output.line("$ " + step.shellLine());
                run(step, folder, json);
                Map<String, Object> entry = new LinkedHashMap<>();
                entry.put("command", step.shellLine());
                entry.put("exit_code", (long) step.exitCode());
                done.add(entry);
            }
            if (json) {
                output.json(done);
            }
            sayGoodbye(output, folder);
        } finally {
            if (keep == null) {
                delete(folder);
            }
        }
        return ExitCode.SUCCESS;
    }

    private void run(DemoStep step, Path folder, boolean silently) {
        Map<String, String> environment = new HashMap<>(invocation.environment());
        environment.keySet().removeIf(name -> name.startsWith("ONTOLOGIA_") && !name.equals("ONTOLOGIA_TERMINAL"));
        environment.put("ONTOLOGIA_DB", folder.resolve("onto.db").toString());
        String[] arguments = step.arguments().stream()
                .map(word -> FILES.contains(word) ? folder.resolve(word).toString() : word)
                .toArray(String[]::new);
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        PrintStream shown = silently ? nowhere : invocation.out();
        int code =
                new Onto(environment, InputStream.nullInputStream(), shown, shown, invocation.clock()).run(arguments);
        if (code != step.exitCode()) {
            throw new IllegalStateException(
                    "'" + step.shellLine() + "' ended with " + code + " instead of " + step.exitCode());
        }
    }

    private void sayGoodbye(Output output, Path folder) {
        output.line("");
        if (keep != null) {
            output.line(
                    "Go on by yourself: cd " + folder + ", then any of the commands above. 'onto --help' lists all.");
        } else {
            output.line("That was it. 'onto demo --keep tour' leaves the store in a folder to play with,");
            output.line("'onto --help' lists all commands, and README.md shows the same in ten lines of Java.");
        }
    }

    private Path makeFolder() {
        try {
            Path folder = keep == null
                    ? Files.createTempDirectory("onto-demo")
                    : Files.createDirectory(keep.toAbsolutePath());
            for (String file : FILES) {
                try (InputStream content = Objects.requireNonNull(DemoCommand.class.getResourceAsStream(file))) {
                    Files.copy(content, folder.resolve(file));
                }
            }
            return folder;
        } catch (IOException e) {
            throw new OntologiaException(
                    ErrorKind.UNAVAILABLE,
                    "cannot make a folder for the demo",
                    e.getClass().getSimpleName() + " " + e.getMessage(),
                    "name a folder that does not exist yet with --keep",
                    e);
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            // It is in the temporary folder, which the system empties by itself.
            return;
        }
    }
}
