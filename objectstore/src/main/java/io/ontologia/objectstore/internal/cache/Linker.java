package io.ontologia.objectstore.internal.cache;

import io.ontologia.kernel.FileModes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Gives a file a second name that outlives the first: by a hard link, or by a copy where there are no hard links. */
@FunctionalInterface
public interface Linker {

    /**
     * Makes a hard link.
     *
     * @throws UnsupportedOperationException when the file system knows none
     */
    void link(Path newName, Path file) throws IOException;

    /** Makes a link or, when that is not possible here, a copy. */
    default void linkOrCopy(Path newName, Path file) throws IOException {
        try {
            link(newName, file);
        } catch (NoSuchFileException e) {
            throw e;
        } catch (UnsupportedOperationException | IOException e) {
            // Other users' files, too many links, or a file system without them.
            try (InputStream content = Files.newInputStream(file)) {
                FileModes.PRIVATE.createFile(newName, content);
            }
        }
    }
}
