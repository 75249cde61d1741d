package io.ontologia.store.sqlite.internal;

import io.ontologia.core.Finding;
import io.ontologia.core.Finding.Severity;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * Looks for commits that SQLite dropped. It reads its log up to the first frame whose checksum is wrong and takes no notice of
 * what follows: one flipped bit drops every later transaction. Frames of the same log that follow each other after such a frame, and
 * that end transactions, show it.
 */
final class WriteAheadLog {
    private static final int HEADER = 32;
    private static final int FRAME_HEADER = 24;
    private static final int MAGIC = 0x377f0682;

    private WriteAheadLog() {}

    /** Checks the log of a file, and whether the file has the commit that was last noted beside it. */
    static void check(Connections connections, SqlConnection connection, List<Finding> findings) throws SQLException {
        Path file = connections.file();
        long dropped = Math.min(droppedTransactions(file), droppedTransactions(file));
        if (dropped > 0) {
            findings.add(new Finding(
                    "wal-damaged",
                    dropped > 1 ? Severity.ERROR : Severity.WARNING,
                    "the write-ahead log has transactions after a damaged frame, which SQLite drops: what they stored is lost"
                            + " unless it was written to the file before; compare with a backup",
                    dropped,
                    file.getFileName() + "-wal"));
        }
        lost(file, Log.head(connection)).ifPresent(findings::add);
    }

    /** What is to be said when the file lacks the commit that was last noted beside it. */
    static Optional<Finding> lost(Path file, long head) {
        return HeadMark.read(file)
                .filter(mark -> mark.commitId() > head)
                .map(mark -> new Finding(
                        "commits-lost",
                        Severity.ERROR,
                        "commits that were stored are gone, probably because the file was used without its write-ahead log ("
                                + file.getFileName()
                                + "-wal): restore the store from a backup; if an older file was put here"
                                + " on purpose, remove " + HeadMark.fileOf(file).getFileName(),
                        mark.commitId() - head,
                        "commits " + (head + 1) + " to " + mark.commitId()));
    }

    /** How many transactions follow after the first frame that is damaged; 0 for a log that is whole or cannot be read. */
    private static long droppedTransactions(Path database) {
        Path log = database.resolveSibling(database.getFileName() + "-wal");
        if (!Files.exists(log)) {
            return 0;
        }
        try (InputStream in = Files.newInputStream(log)) {
            return new Frames(ByteBuffer.wrap(in.readNBytes(HEADER))).dropped(in);
        } catch (IOException | IndexOutOfBoundsException e) {
            return 0;
        }
    }

    /** A running checksum as SQLite defines it. */
    private record Sum(int first, int second) {
        Sum over(ByteBuffer bytes, int from, int to) {
            int a = first;
            int b = second;
            for (int i = from; i < to; i += 8) {
                a += bytes.getInt(i) + b;
                b += bytes.getInt(i + 4) + a;
            }
            return new Sum(a, b);
        }
    }

    private static final class Frames {
        private final ByteOrder order;
        private final int frameLength;
        private final Sum header;
        private final boolean isWhole;
        private long salt;

        Frames(ByteBuffer bytes) {
            int magic = bytes.getInt(0);
            order = (magic & 1) == 0 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
            int pageSize = bytes.getInt(8) == 1 ? 65_536 : bytes.getInt(8);
            salt = bytes.getLong(16);
            header = new Sum(bytes.getInt(24), bytes.getInt(28));
            frameLength = FRAME_HEADER + pageSize;
            Sum computed = new Sum(0, 0).over(bytes.duplicate().order(order), 0, 24);
            isWhole = (magic & ~1) == MAGIC && computed.equals(header);
            if (Integer.bitCount(pageSize) != 1 || pageSize < 512 || pageSize > 65_536) {
                throw new IndexOutOfBoundsException("no page size");
            }
        }

        long dropped(InputStream in) throws IOException {
            byte[] bytes = new byte[frameLength];
            boolean intact = isWhole;
            boolean first = true;
            Sum before = header;
            long dropped = 0;
            while (in.readNBytes(bytes, 0, frameLength) == frameLength) {
                ByteBuffer frame = ByteBuffer.wrap(bytes);
                if (first && !isWhole) {
                    salt = frame.getLong(8);
                }
                first = false;
                Sum stored = new Sum(frame.getInt(16), frame.getInt(20));
                ByteBuffer words = frame.duplicate().order(order);
                boolean follows = frame.getLong(8) == salt
                        && before.over(words, 0, 8)
                                .over(words, FRAME_HEADER, frameLength)
                                .equals(stored);
                boolean endsTransaction = frame.getInt(4) != 0;
                if (follows && endsTransaction && !intact) {
                    dropped++;
                }
                intact &= follows;
                before = stored;
            }
            return dropped;
        }
    }
}
