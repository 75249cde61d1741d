package io.ontologia.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Runs the console as a process of its own, for what depends on the process: its environment, limits and streams. */
public final class OntoProcess {
    /** What newer versions of Java print before the program starts. */
    private static final String NO_TEMPORARY_FOLDER = "WARNING: java.io.tmpdir directory does not exist\n";

    private final List<String> prefix;
    private final List<String> java;
    private final Map<String, String> environment;

    private OntoProcess(List<String> prefix, List<String> java, Map<String, String> environment) {
        this.prefix = prefix;
        this.java = java;
        this.environment = environment;
    }

    /** Processes with this environment and no other variable. */
    public static OntoProcess in(Map<String, String> environment) {
        return new OntoProcess(List.of(), List.of(), environment);
    }

    /** The same, started by a shell after it ran these commands. */
    public OntoProcess after(String shellCommands) {
        return new OntoProcess(List.of("/bin/sh", "-c", shellCommands + "; exec \"$@\"", "sh"), java, environment);
    }

    /** The same, started by a command that takes the rest of the line as a command of its own. */
    public OntoProcess by(List<String> command) {
        return new OntoProcess(List.copyOf(command), java, environment);
    }

    /** The same, with more options for Java. */
    public OntoProcess java(String... options) {
        return new OntoProcess(prefix, List.of(options), environment);
    }

    /** Runs to the end. */
    public OntoRun run(String... args) throws IOException, InterruptedException {
        Process process = start(args);
        CompletableFuture<String> err = CompletableFuture.supplyAsync(() -> text(process.getErrorStream()));
        String out = text(process.getInputStream());
        return new OntoRun(process.waitFor(), out, err.join().replace(NO_TEMPORARY_FOLDER, ""));
    }

    /** Runs to the end while nobody reads its standard output. */
    public OntoRun runUnread(String... args) throws IOException, InterruptedException {
        Process process = start(args);
        process.getInputStream().close();
        String err = text(process.getErrorStream());
        return new OntoRun(process.waitFor(), "", err);
    }

    /** Starts it and leaves it running. */
    public Process start(String... args) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xmx256m"));
        // As the manifest of the jar says; without it newer versions of Java warn on standard error.
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(java);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.ontologia.cli.Onto"));
        command.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().clear();
        builder.environment().putAll(environment);
        return builder.start();
    }

    private static String text(InputStream stream) {
        try {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
