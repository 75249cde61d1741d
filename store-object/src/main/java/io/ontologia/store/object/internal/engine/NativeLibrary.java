package io.ontologia.store.object.internal.engine;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.FileModes;
import io.ontologia.kernel.OntologiaException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * DuckDB's native library. Its driver copies it from its jar to the system's temporary folder, loads it from there, and
 * deletes the copy when the process ends in the ordinary way. Here the copy is deleted as soon as it was loaded, where the
 * system allows that, so that a process that is killed leaves none behind. A driver whose jar has no library loads one from
 * the same folder or from {@code java.library.path}, and makes no copy; the console uses that.
 */
final class NativeLibrary {
    private static final Logger LOG = LoggerFactory.getLogger(NativeLibrary.class);
    private static final String DRIVER = "org.duckdb.DuckDBNative";
    private static final String COPY = "libduckdb_java";
    private static final List<String> IN_JAR = List.of("linux_amd64", "linux_arm64", "osx_universal", "windows_amd64");

    /** A little more than the library for Linux. */
    private static final long ROOM = 64L << 20;

    private static boolean loaded;

    private NativeLibrary() {}

    /** Loads it, once in a process. */
    static synchronized void load() {
        if (loaded) {
            return;
        }
        Path folder = Path.of(System.getProperty("java.io.tmpdir"));
        boolean copied = isInJar();
        // The driver can be initialised only once in a process: what would make it fail is looked for before.
        if (copied) {
            requireRoom(folder);
        }
        try {
            Class.forName(DRIVER);
        } catch (ClassNotFoundException | LinkageError e) {
            throw unusable(folder, String.valueOf(e.getCause() == null ? e : e.getCause()), e);
        }
        loaded = true;
        if (copied) {
            deleteCopies(folder);
        }
    }

    private static boolean isInJar() {
        return IN_JAR.stream()
                .anyMatch(platform -> NativeLibrary.class.getResource("/" + COPY + ".so_" + platform) != null);
    }

    private static void requireRoom(Path folder) {
        try {
            if (!Files.isDirectory(folder)) {
                throw unusable(folder, "there is no such folder", null);
            }
            Path probe = FileModes.createTempFile(folder, "onto", "");
            Files.delete(probe);
            long usable = Files.getFileStore(folder).getUsableSpace();
            if (usable < ROOM) {
                throw unusable(folder, "only " + (usable >> 20) + " MB are free there", null);
            }
        } catch (IOException e) {
            throw unusable(folder, e.toString(), e);
        }
    }

    private static OntologiaException unusable(Path folder, String cause, @Nullable Throwable thrown) {
        return new OntologiaException(
                ErrorKind.UNAVAILABLE,
                "cannot load the query engine's library from the temporary folder '" + folder + "'",
                cause,
                "make it a folder that can be written and has " + (ROOM >> 20)
                        + " MB free, or name another one: java -Djava.io.tmpdir=<folder>, for the console"
                        + " JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=<folder>",
                thrown);
    }

    /** Linux names the files that are mapped into the process, and keeps what is mapped when its name is deleted. */
    private static void deleteCopies(Path folder) {
        Path maps = Path.of("/proc/self/maps");
        if (!Files.isReadable(maps)) {
            return;
        }
        try {
            Path real = folder.toRealPath();
            List<Path> copies = Files.readAllLines(maps, StandardCharsets.UTF_8).stream()
                    .filter(line -> line.contains("/" + COPY) && line.endsWith(".so"))
                    .map(line -> Path.of(line.substring(line.indexOf('/'))))
                    .filter(file -> real.equals(file.getParent()))
                    .distinct()
                    .toList();
            for (Path copy : copies) {
                Files.deleteIfExists(copy);
            }
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("copy of the native library not deleted");
        }
    }
}
