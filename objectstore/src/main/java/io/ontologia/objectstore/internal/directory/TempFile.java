package io.ontologia.objectstore.internal.directory;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.Payload;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.TimeUnit;

/** A file on its way to become an object. Closing it removes it, unless it has got another name. Used by one thread. */
final class TempFile implements AutoCloseable {
    /** From this size on it is put on disk before somebody waits for the lock, and not only while it is held. */
    private static final long LARGE = 1 << 20;

    /** Coarser than the clock of any file system in use. */
    private static final long LARGEST_STEP_MICROS = TimeUnit.SECONDS.toMicros(100);

    private final Path path;
    private final FileChannel channel;
    private final ContentHashes.Running hash = new ContentHashes.Running();

    TempFile(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    Path path() {
        return path;
    }

    /** The hash of what was filled in. */
    long hash() {
        return hash.value();
    }

    void fill(Payload payload) throws IOException {
        try (InputStream in = payload.open()) {
            for (byte[] chunk = next(in); chunk.length > 0; chunk = next(in)) {
                hash.add(chunk);
                ByteBuffer buffer = ByteBuffer.wrap(chunk);
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
            }
        }
        if (channel.position() >= LARGE) {
            channel.force(true);
        }
    }

    private static byte[] next(InputStream in) {
        try {
            return ContentHashes.nextChunk(in);
        } catch (IOException e) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "cannot read the content to store",
                    Failures.reason(e),
                    "check that it is a readable file",
                    e);
        }
    }

    /**
     * Puts the file on disk with the generation that it is to have: now, but in any case after the last one. What counts is
     * what the file system made of the time, so a coarse one leads to larger steps.
     */
    FileVersion stamp(long nowMicros, long lastGeneration) throws IOException {
        long from = Math.max(nowMicros - 1, lastGeneration);
        for (long step = 1; step <= LARGEST_STEP_MICROS; step *= 10) {
            Files.getFileAttributeView(path, BasicFileAttributeView.class)
                    .setTimes(FileTime.from(from + step, TimeUnit.MICROSECONDS), null, null);
            channel.force(true);
            FileVersion version =
                    FileVersion.of(Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
            if (version.generation() > lastGeneration) {
                return version;
            }
        }
        throw new IOException("the file system does not keep the modification time that a file is given");
    }

    @Override
    public void close() {
        try (channel) {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            // What is left here harms nobody and is swept up later.
            return;
        }
    }
}
