package io.ontologia.cli.internal.output;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A program that shows long output a page at a time. Used only where standard output is a terminal; {@code NO_PAGER}, an empty {@code PAGER}
 * and {@code PAGER=cat} turn it off. Without {@code PAGER} it is {@code less}, where that is installed, which ends by itself when all fits on
 * the screen.
 */
public final class Pager implements AutoCloseable {
    private static final String DEFAULT = "less";

    private final Process process;
    private final PrintStream input;

    private Pager(Process process) {
        this.process = process;
        this.input = new PrintStream(process.getOutputStream(), false, StandardCharsets.UTF_8);
    }

    /** The command of the pager that an environment asks for; empty for none. */
    public static Optional<String> command(Map<String, String> environment) {
        if (!Terminal.of(environment).out()
                || !environment.getOrDefault("NO_PAGER", "").isEmpty()) {
            return Optional.empty();
        }
        String named = environment.get("PAGER");
        if (named != null) {
            return named.isBlank() || named.strip().equals("cat") ? Optional.empty() : Optional.of(named);
        }
        return isInstalled(environment) ? Optional.of(DEFAULT) : Optional.empty();
    }

    private static boolean isInstalled(Map<String, String> environment) {
        return Pattern.compile(Pattern.quote(File.pathSeparator))
                .splitAsStream(environment.getOrDefault("PATH", ""))
                .anyMatch(folder -> folder.startsWith("/") && Files.isExecutable(Path.of(folder, DEFAULT)));
    }

    /** Starts a pager on the terminal of this process; empty when it cannot be started, and output goes on without. */
    public static Optional<Pager> start(String command) {
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", command)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        // Ends when all fits on the screen, shows colours, leaves the text on the screen.
        builder.environment().putIfAbsent("LESS", "FRX");
        try {
            return Optional.of(new Pager(builder.start()));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** What is shown. A pager that was ended early takes the rest and shows nothing of it. */
    public PrintStream input() {
        return input;
    }

    /** Waits until the reader ends the pager. */
    @Override
    public void close() {
        input.close();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
