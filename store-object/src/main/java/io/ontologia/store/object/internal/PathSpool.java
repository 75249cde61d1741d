package io.ontologia.store.object.internal;

import io.ontologia.kernel.FileModes;
import io.ontologia.store.object.internal.engine.CacheFolder;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.Optional;

/** Texts in a temporary file, to be taken in the opposite order: commits are found from the newest back. */
final class PathSpool implements AutoCloseable {
    private final Path path;
    private final FileChannel file;
    private long end;

    private PathSpool(Path path, FileChannel file, long end) {
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
            return new PathSpool(path, FileModes.openExisting(path, StandardOpenOption.READ), Files.size(path));
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
            end -= Integer.BYTES;
            int length = read(end, Integer.BYTES).getInt();
            end -= length;
            return Optional.of(StandardCharsets.UTF_8.decode(read(end, length)).toString());
        } catch (IOException e) {
            throw CacheFolder.unusable(path, e);
        }
    }

    private ByteBuffer read(long at, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining()) {
            if (file.read(bytes, at + bytes.position()) < 0) {
                throw new EOFException(path + " is shorter than before");
            }
        }
        return bytes.flip();
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
