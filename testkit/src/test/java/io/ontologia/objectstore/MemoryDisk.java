package io.ontologia.objectstore;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/** A temporary folder on a disk in memory where the system has one: for races, where waiting for a disk proves nothing. */
final class MemoryDisk implements TempDirFactory {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final long ENOUGH = 50_000_000;

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
        return Files.isWritable(SHARED_MEMORY)
                        && Files.getFileStore(SHARED_MEMORY).getUsableSpace() > ENOUGH
                ? Files.createTempDirectory(SHARED_MEMORY, "junit-")
                : Files.createTempDirectory("junit-");
    }
}
