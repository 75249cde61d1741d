package io.ontologia.objectstore.internal.directory;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.FileModes;
import io.ontologia.kernel.RandomIds;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** The folder where files wait to become objects. */
final class TempFiles {
    private static final Duration ABANDONED = Duration.ofDays(1);
    private static final int NAMES_TRIED = 100;

    private final Path folder;
    private final Clock clock;
    private final RandomGenerator random;
    private final FileModes modes;

    TempFiles(Path folder, Clock clock, RandomGenerator random, FileModes modes) {
        this.folder = folder;
        this.clock = clock;
        this.random = random;
        this.modes = modes;
    }

    /** A new, empty file. */
    TempFile create() throws IOException {
        for (int attempt = 1; ; attempt++) {
            Path path = folder.resolve(newName());
            try {
                return new TempFile(path, modes.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
            } catch (FileAlreadyExistsException e) {
                if (attempt == NAMES_TRIED) {
                    throw e;
                }
            }
        }
    }

    private String newName() {
        synchronized (random) {
            return RandomIds.hex(random, 32);
        }
    }

    /** Removes what writers that died left behind more than a day ago. Best effort. */
    void sweep() {
        FileTime oldest = FileTime.from(clock.now().minus(ABANDONED));
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                BasicFileAttributes attributes = ObjectFiles.attributesOfEntry(file);
                if (attributes != null && attributes.lastModifiedTime().compareTo(oldest) < 0) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // A store that was never written to has no such folder, and one that may not be changed stays as it is.
            return;
        }
    }
}
