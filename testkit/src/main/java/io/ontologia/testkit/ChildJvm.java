package io.ontologia.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A class's {@code main} in a process of its own, with the test's class path. Its lines are handed to a listener by a
 * thread of this object; closing its input asks it to stop.
 */
public final class ChildJvm implements AutoCloseable {
    private final Process process;
    private final Thread listening;

    /**
     * Starts it.
     *
     * @param heap for example {@code 128m}
     * @param temporary where it puts temporary files, which a killed process leaves behind
     * @param onLine hears every line of its output
     */
    public ChildJvm(Class<?> main, String heap, Path temporary, Consumer<String> onLine, String... arguments)
            throws IOException {
        this(List.of(), main, heap, temporary, onLine, arguments);
    }

    /** As the shorter constructor, run by another command, such as that of a {@link SmallDisk}. */
    ChildJvm(
            List<String> prefix,
            Class<?> main,
            String heap,
            Path temporary,
            Consumer<String> onLine,
            String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx" + heap, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"));
        command.add("-Djava.io.tmpdir=" + temporary);
        for (String name : System.getProperties().stringPropertyNames()) {
            if (name.startsWith("aws.")) {
                command.add("-D" + name + "=" + System.getProperty(name));
            }
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        listening = new Thread(() -> listen(onLine), main.getSimpleName() + "-output");
        listening.start();
    }

    private void listen(Consumer<String> onLine) {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                onLine.accept(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends it as {@code kill -9} does, and returns when it is gone and everything it said was heard. */
    public void kill() throws InterruptedException {
        // By its handle: the process object would close its output too, and with it what was said and not yet heard.
        process.toHandle().destroyForcibly();
        await();
    }

    /** Stops it as {@code kill -STOP} does: it keeps everything that it holds, and does nothing until it is continued. */
    public void pause() throws IOException, InterruptedException {
        signal("STOP");
    }

    /** Continues it after {@link #pause}. */
    public void resume() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
        if (kill.waitFor() != 0) {
            throw new IOException("cannot send " + name + " to process " + process.pid());
        }
    }

    /** Whether it has not ended yet. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Asks it to stop. */
    public void stop() throws IOException {
        process.getOutputStream().close();
    }

    /** Waits for its end, and until everything it said was heard. */
    public int await() throws InterruptedException {
        if (!process.waitFor(5, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new AssertionError("a child process hangs");
        }
        listening.join();
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
