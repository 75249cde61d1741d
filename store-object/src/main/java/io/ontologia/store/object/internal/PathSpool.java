package io.ontologia.store.object.internal;

import io.ontologia.kernel.FileModes;
import io.ontologia.store.object.internal.engine.CacheFolder;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Optional;

/** Texts in a temporary file, to be taken in the opposite order: commits are found from the newest back. */
final class PathSpool implements AutoCloseable {
    private final Path path;
    private final RandomAccessFile file;
    private long end;

    private PathSpool(Path path, RandomAccessFile file, long end) {
        this.path = path;
        this.file = file;
        this.end = end;
    }

    /** Writes texts to a file that does not exist yet and is removed when this is closed. */
    static PathSpool of(Path path, Iterator<String> texts) {
        try {
            try (DataOutputStream out =
                    new DataOutputStream(new java.io.BufferedOutputStream(FileModes.PRIVATE.newOutputStream(path)))) {
                while (texts.hasNext()) {
                    byte[] bytes = texts.next().getBytes(StandardCharsets.UTF_8);
                    out.write(bytes);
                    out.writeInt(bytes.length);
                }
            } catch (RuntimeException e) {
                Files.deleteIfExists(path);
                throw e;
            }
            return new PathSpool(path, new RandomAccessFile(path.toFile(), "r"), Files.size(path));
        } catch (IOException e) {
            throw CacheFolder.unusable(path, e);
        }
    }

    /** Takes the last one that is left. */
    Optional<String> take() {
        if (end == 0) {
            return Optional.empty();
        }
        try {
            file.seek(end - Integer.BYTES);
            byte[] bytes = new byte[file.readInt()];
            end -= Integer.BYTES + bytes.length;
            file.seek(end);
            file.readFully(bytes);
            return Optional.of(new String(bytes, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw CacheFolder.unusable(path, e);
        }
    }

    @Override
    public void close() {
        try {
            file.close();
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw CacheFolder.unusable(path, e);
        }
    }
}
