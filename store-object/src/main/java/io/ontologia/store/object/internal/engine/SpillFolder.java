package io.ontologia.store.object.internal.engine;

import io.ontologia.kernel.FileModes;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Where an engine keeps what does not fit into memory: a folder of its own, since DuckDB's files there have fixed names. */
final class SpillFolder {
    private static final String PREFIX = "spill-";
    private static final AtomicInteger ENGINES = new AtomicInteger();

    private SpillFolder() {}

    /** A name that no living engine uses; DuckDB makes the folder when it needs it. What dead processes left is deleted. */
    static Path in(Path folder) throws IOException {
        FileModes.PRIVATE.ensureOwnFolder(folder);
        deleteLeftovers(folder);
        return folder.toAbsolutePath()
                .resolve(PREFIX + ProcessHandle.current().pid() + "-" + ENGINES.incrementAndGet());
    }

    /** Where rows of streams wait, beside an engine's folder; it is deleted with what dead processes left. */
    static Path ofRows(Path spill) {
        return spill.resolveSibling(spill.getFileName() + "-rows");
    }

    private static void deleteLeftovers(Path folder) throws IOException {
        try (DirectoryStream<Path> spills = Files.newDirectoryStream(folder, PREFIX + "*")) {
            for (Path spill : spills) {
                if (!isUsed(spill.getFileName().toString())) {
                    delete(spill);
                }
            }
        }
    }

    private static boolean isUsed(String name) {
        String[] parts = name.split("-", -1);
        try {
            return ProcessHandle.of(Long.parseLong(parts[1])).isPresent();
        } catch (NumberFormatException e) {
            return true;
        }
    }

    private static void delete(Path folder) throws IOException {
        List<Path> deepestFirst;
        try (Stream<Path> all = Files.walk(folder)) {
            deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : deepestFirst) {
            Files.deleteIfExists(path);
        }
    }
}
