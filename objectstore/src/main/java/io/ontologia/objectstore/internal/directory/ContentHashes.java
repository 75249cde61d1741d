package io.ontologia.objectstore.internal.directory;

import io.ontologia.kernel.ContentHash;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Hashes of files' content, computed once per version. Up to {@value #CHUNK} bytes it is the {@link ContentHash} itself;
 * beyond that, each further chunk is hashed with the hash so far as its seed, so that no file need fit into memory.
 */
final class ContentHashes {
    /** How much is read and hashed at a time. */
    static final int CHUNK = 1 << 18;

    private static final int REMEMBERED = 20_000;

    private record Known(FileVersion version, long hash) {}

    private final Map<Path, Known> known = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Path, Known> eldest) {
            return size() > REMEMBERED;
        }
    };

    /** Gives exactly the bytes that are asked for. */
    @FunctionalInterface
    interface Content {
        byte[] read(long first, int length) throws IOException;
    }

    /** The hash of a version, whose content is read only if the hash is not known. */
    long of(Path file, FileVersion version, Content content) throws IOException {
        synchronized (known) {
            Known found = known.get(file);
            if (found != null && found.version().equals(version)) {
                return found.hash();
            }
        }
        Running running = new Running();
        for (long at = 0; at < version.size(); at += CHUNK) {
            running.add(content.read(at, (int) Math.min(CHUNK, version.size() - at)));
        }
        remember(file, version, running.value());
        return running.value();
    }

    /** Notes a hash that is known without reading the file. */
    void remember(Path file, FileVersion version, long hash) {
        synchronized (known) {
            known.put(file, new Known(version, hash));
        }
    }

    void forget(Path file) {
        synchronized (known) {
            known.remove(file);
        }
    }

    /** Exactly these bytes of a file that does not change. */
    static byte[] read(FileChannel channel, long first, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, first + buffer.position()) < 0) {
                throw new EOFException("the file was cut while it was read");
            }
        }
        return buffer.array();
    }

    /** The next chunk of a stream; empty at its end. */
    static byte[] nextChunk(InputStream in) throws IOException {
        return in.readNBytes(CHUNK);
    }

    /** A hash under way. Every chunk but the last must have {@value #CHUNK} bytes. */
    static final class Running {
        private boolean started;
        private long value = ContentHash.of(new byte[0]);

        void add(byte[] chunk) {
            value = started ? ContentHash.of(chunk, value) : ContentHash.of(chunk);
            started = true;
        }

        long value() {
            return value;
        }
    }
}
