package io.ontologia.cli.internal;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.FileModes;
import io.ontologia.kernel.OntologiaException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Failures whose cause is the machine and not this program: too little memory, no temporary folder. */
public final class MachineLimit {
    private static final int DEEPEST = 20;
    private static final int PROBE_BYTES = 1 << 20;
    private static final long MEGABYTE = 1 << 20;

    private MachineLimit() {}

    /** The error to report instead of a failure; empty when the machine is not its cause. */
    static Optional<OntologiaException> of(Throwable thrown) {
        if (thrown instanceof OntologiaException known) {
            return String.valueOf(known.getMessage()).contains(folder().toString())
                            && known.kind() == ErrorKind.UNAVAILABLE
                    ? temporaryFolder(thrown)
                    : Optional.empty();
        }
        Throwable cause = thrown;
        for (int i = 0; i < DEEPEST && cause != null; i++) {
            if (cause instanceof OutOfMemoryError error) {
                return Optional.of(memory("cannot finish the command", Optional.empty(), error));
            }
            if (cause instanceof IOException
                    || cause instanceof UncheckedIOException
                    || cause instanceof LinkageError) {
                Optional<OntologiaException> folder = temporaryFolder(thrown);
                if (folder.isPresent()) {
                    return folder;
                }
            }
            cause = cause.getCause();
        }
        return Optional.empty();
    }

    /**
     * The error for a heap that is too small.
     *
     * @param inputBytes how much the command was to read, where that is what takes the memory
     */
    public static OntologiaException memory(String problem, Optional<Long> inputBytes, OutOfMemoryError error) {
        long heap = Runtime.getRuntime().maxMemory() / MEGABYTE;
        String input = inputBytes
                .map(bytes -> String.format(Locale.ROOT, ", and the input has %,.1f MB", (double) bytes / MEGABYTE))
                .orElse("");
        String split = inputBytes.isPresent() ? ", or split the input and import the parts one after the other" : "";
        return new OntologiaException(
                ErrorKind.UNAVAILABLE,
                problem,
                "the memory of " + heap + " MB that Java may use is full" + input,
                "give it more, for example with ONTO_JAVA_OPTS=-Xmx" + Math.max(1, 4 * heap / 1024 + 1) + "g" + split,
                inputBytes
                        .<Map<String, Object>>map(bytes -> Map.of("heap_mb", heap, "input_bytes", bytes))
                        .orElse(Map.of("heap_mb", heap)),
                error);
    }

    private static Path folder() {
        return Path.of(System.getProperty("java.io.tmpdir", ""));
    }

    /** What is wrong with the temporary folder; empty when files can be written in it. */
    private static Optional<OntologiaException> temporaryFolder(Throwable thrown) {
        Path folder = folder();
        try {
            Path probe = FileModes.createTempFile(folder, "onto", ".probe");
            try {
                FileModes.PRIVATE.write(probe, new byte[PROBE_BYTES]);
            } finally {
                Files.delete(probe);
            }
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(new OntologiaException(
                    ErrorKind.UNAVAILABLE,
                    "cannot use the temporary folder " + folder,
                    Files.isDirectory(folder) ? "no file can be written in it, or it is full" : "it is not there",
                    "create it, make it writable or make room in it, or name another one with ONTO_JAVA_OPTS=-Djava.io.tmpdir=FOLDER",
                    thrown));
        }
    }
}
