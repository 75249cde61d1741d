package io.ontologia.store.sqlite.internal;

import io.ontologia.kernel.FileModes;
import io.ontologia.kernel.Sha256;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A small file beside the database that names the newest commit while a write-ahead log exists: a database whose log was lost or
 * is damaged can say so. It is written after a commit is stored, so it never names a commit that was not; other programs do not
 * write it, and leave it behind the newest commit. Best effort: no commit fails because of it. Used by one thread at a time.
 */
final class HeadMark {
    private static final String SUFFIX = "-head";
    private static final int LENGTH = 256;
    private static final String NO_DIGEST = "-";

    private final Path database;
    private final Path file;
    private @Nullable MappedByteBuffer buffer;
    private boolean unusable;
    private long highest;

    /**
     * What the file says.
     *
     * @param digest of the commit; empty where it has none
     */
    record Mark(long commitId, Optional<String> digest) {}

    HeadMark(Path database) {
        this.database = database;
        this.file = fileOf(database);
        this.highest = read(database).map(Mark::commitId).orElse(0L);
    }

    /** Where the file of a database is. */
    static Path fileOf(Path database) {
        return database.resolveSibling(database.getFileName() + SUFFIX);
    }

    /** What the file beside a database says; empty when there is none, or it was not written to its end. */
    static Optional<Mark> read(Path database) {
        try {
            Path file = fileOf(database);
            if (!Files.exists(file)) {
                return Optional.empty();
            }
            String[] words =
                    Files.readString(file, StandardCharsets.ISO_8859_1).trim().split(" ", -1);
            if (words.length != 3 || !words[2].equals(Sha256.hex(words[0] + " " + words[1]))) {
                return Optional.empty();
            }
            return Optional.of(
                    new Mark(Long.parseLong(words[0]), Optional.of(words[1]).filter(word -> !word.equals(NO_DIGEST))));
        } catch (IOException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Removes the file of a database that does not exist. */
    static void remove(Path database) {
        try {
            Files.deleteIfExists(fileOf(database));
        } catch (IOException e) {
            // It is read again, and says nothing about a store that goes beyond it.
        }
    }

    /** Notes a commit that is stored. One that is not the newest ever noted is passed over: others were faster, or it was lost. */
    void note(long commitId, @Nullable String digest) {
        if (unusable || commitId <= highest) {
            return;
        }
        try {
            MappedByteBuffer target = buffer;
            if (target == null) {
                target = map();
                buffer = target;
            }
            String text = commitId + " " + (digest == null ? NO_DIGEST : digest);
            byte[] line = (text + " " + Sha256.hex(text)).getBytes(StandardCharsets.ISO_8859_1);
            for (int i = 0; i < LENGTH; i++) {
                target.put(i, i < line.length ? line[i] : (byte) (i == LENGTH - 1 ? '\n' : ' '));
            }
            highest = commitId;
        } catch (IOException | RuntimeException e) {
            unusable = true;
        }
    }

    private MappedByteBuffer map() throws IOException {
        try (FileChannel channel = FileModes.UMASK.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, LENGTH);
        }
    }

    /**
     * Removes the file when the log is gone, because then the database has everything.
     *
     * @param head the newest commit; while the file names a later one, it stays
     */
    void close(long head) {
        buffer = null;
        if (highest <= head && !Files.exists(database.resolveSibling(database.getFileName() + "-wal"))) {
            remove(database);
        }
    }
}
