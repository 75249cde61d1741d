package io.ontologia.store.sqlite.internal;

import io.ontologia.core.spi.StorageOptions;
import io.ontologia.core.spi.StorageOptions.Durability;
import io.ontologia.core.spi.StorageOptions.Mode;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.FileModes;
import io.ontologia.kernel.OntologiaException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteOpenMode;

/** The connections to one file: one that writes, lent to one thread at a time, and as many that read as are needed. */
final class Connections implements AutoCloseable {
    private static final int IDLE_READERS = 4;
    private static final int CACHE_KIB = 64 * 1024;
    private static final int MOST_SQL = 64 << 20;

    /** 64 MB of log: pages that commit after commit touches, such as those of field indexes, go to the file once for many. */
    private static final int CHECKPOINT_PAGES = 16_384;

    private static final Duration OPEN_PAUSE = Duration.ofMillis(5);
    private static final Duration BRIEF_TIMEOUT = Duration.ofMillis(200);

    /** How often brief work may pass those who wait. */
    private static final int MOST_PASSES = 16;

    private final Path file;
    private final boolean temporary;
    private final StorageOptions options;
    private final ReentrantLock writing = new ReentrantLock(true);
    private final Deque<SqlConnection> idleReaders = new ArrayDeque<>();
    private @Nullable SqlConnection writer;
    private volatile boolean closed;
    private volatile int passes;
    private volatile boolean utf8;
    private @Nullable HeadMark mark;

    /** What a connection is for. */
    enum Access {
        READ,
        WRITE
    }

    Connections(Optional<Path> wanted, StorageOptions options) {
        this.options = options;
        this.temporary = wanted.isEmpty();
        this.file = wanted.map(Path::toAbsolutePath).orElseGet(Connections::temporaryFile);
        if (options.mode() == Mode.READ_ONLY && !temporary && !Files.exists(file)) {
            throw new OntologiaException(
                    ErrorKind.NOT_FOUND,
                    "cannot open " + wanted.get(),
                    "there is no such file",
                    "create it with 'onto init', or name another with --db");
        }
        if (!Files.exists(file) && writable()) {
            HeadMark.remove(file);
        }
        if (Files.isDirectory(file)) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT, "cannot open " + file, "it is a folder", "name a file");
        }
    }

    private static Path temporaryFile() {
        try {
            return FileModes.createTempDirectory("ontologia").resolve("memory.db");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path file() {
        return file;
    }

    boolean writable() {
        return options.mode() == Mode.READ_WRITE;
    }

    boolean temporary() {
        return temporary;
    }

    /** How a writer waits for the disk. */
    SQLiteConfig.SynchronousMode synchronous() {
        if (temporary) {
            return SQLiteConfig.SynchronousMode.OFF;
        }
        return options.durability() == Durability.POWER_LOSS
                ? SQLiteConfig.SynchronousMode.FULL
                : SQLiteConfig.SynchronousMode.NORMAL;
    }

    /** How long a statement waits for other processes. */
    Duration busyTimeout() {
        Duration longest = Duration.ofMillis(Integer.MAX_VALUE);
        return options.lockTimeout().compareTo(longest) < 0 ? options.lockTimeout() : longest;
    }

    /** How long work waits for other processes that can as well be left undone. */
    Duration briefTimeout() {
        return busyTimeout().compareTo(BRIEF_TIMEOUT) < 0 ? busyTimeout() : BRIEF_TIMEOUT;
    }

    /** Whether the file has the tables of latest versions: one that we only read may be from before them. */
    boolean hasLatest(SqlConnection connection) throws SQLException {
        return writable() || Tables.hasLatest(connection);
    }

    /** A text of the current row: as bytes, where they are UTF-8, because the driver decodes texts slowly. */
    String text(ResultSet rows, int column) throws SQLException {
        if (!utf8) {
            return SqlErrors.present(rows.getString(column));
        }
        return new String(SqlErrors.present(rows.getBytes(column)), StandardCharsets.UTF_8);
    }

    /**
     * As {@link #startWriting}, for brief work that comes again and again: passes those who wait, a few times, because on a
     * busy machine handing over takes longer than the work.
     */
    SqlConnection startBriefWriting() {
        requireWritable();
        if (passes < MOST_PASSES && writing.tryLock()) {
            passes = writing.hasQueuedThreads() ? passes + 1 : 0;
            return lendWriter();
        }
        SqlConnection connection = startWriting();
        passes = 0;
        return connection;
    }

    /** Lends the writing connection; the caller gives it back with {@link #doneWriting}. */
    SqlConnection startWriting() {
        requireWritable();
        if (!waitForWriter()) {
            if (Thread.currentThread().isInterrupted()) {
                throw new OntologiaException(ErrorKind.CLOSED, "writing stopped", "the thread was interrupted", "");
            }
            throw new OntologiaException(
                    ErrorKind.BUSY,
                    "cannot write to " + file,
                    "another thread has been writing for longer than "
                            + options.lockTimeout().toMillis() + " ms",
                    "try again, or raise the lock timeout");
        }
        return lendWriter();
    }

    /** Waits for the lock on the writing connection; false when the time is over, or the thread was interrupted. */
    private boolean waitForWriter() {
        try {
            return writing.tryLock() || writing.tryLock(options.lockTimeout().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void requireWritable() {
        if (!writable()) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "cannot write to " + file,
                    "it was opened for reading",
                    "open it for writing");
        }
    }

    /** To be called by who has the lock, which is let go when this fails. */
    private SqlConnection lendWriter() {
        try {
            if (writer == null) {
                requireOpen();
                writer = open(Access.WRITE);
            }
            return writer;
        } catch (RuntimeException e) {
            writing.unlock();
            throw e;
        }
    }

    /** Takes the writing connection back. One that is not fit is closed, which ends its transaction; the next use opens another. */
    void doneWriting() {
        try {
            if (writer != null && (closed || !writer.isFit())) {
                long head = closed && mark != null ? newest(writer) : 0;
                writer.close();
                writer = null;
                if (closed && mark != null) {
                    mark.close(head);
                }
            }
        } finally {
            writing.unlock();
        }
    }

    /** Lends a reading connection; the caller gives it back with {@link #doneReading}. */
    SqlConnection startReading() {
        synchronized (idleReaders) {
            requireOpen();
            SqlConnection idle = idleReaders.poll();
            if (idle != null) {
                return idle;
            }
        }
        return open(Access.READ);
    }

    void doneReading(SqlConnection connection) {
        synchronized (idleReaders) {
            if (!closed && connection.isFit() && idleReaders.size() < IDLE_READERS) {
                idleReaders.push(connection);
                return;
            }
        }
        connection.close();
    }

    /**
     * Opens a connection. SQLite does not wait where another process switches a new file to its log, or reads the log for the
     * first time, so a busy file is tried again until the lock timeout.
     */
    private SqlConnection open(Access access) {
        long startedAt = options.clock().monotonicNanos();
        while (true) {
            try {
                return openOnce(access);
            } catch (SQLException e) {
                long waited = options.clock().monotonicNanos() - startedAt;
                if (!SqlErrors.isBusy(e) || waited >= options.lockTimeout().toNanos()) {
                    throw SqlErrors.wrap("cannot open " + file, e);
                }
                options.clock().sleep(OPEN_PAUSE);
            }
        }
    }

    private SqlConnection openOnce(Access access) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.enforceForeignKeys(true);
        config.setBusyTimeout((int) busyTimeout().toMillis());
        config.setCacheSize(-CACHE_KIB);
        // Otherwise the driver asks for the last row id after every insert, by a statement that it prepares each time.
        config.setGetGeneratedKeys(false);
        // One thread at a time uses a connection, so that SQLite need not take a lock in every call.
        config.setOpenMode(SQLiteOpenMode.NOMUTEX);
        // The driver's own limit is below what the largest filter needs.
        config.setPragma(SQLiteConfig.Pragma.LIMIT_SQL_LENGTH, Integer.toString(MOST_SQL));
        config.setTempStore(SQLiteConfig.TempStore.MEMORY);
        if (temporary) {
            // A process that reads a mapped file ends when another one truncates the file. No other process has this
            // one.
            config.setPragma(SQLiteConfig.Pragma.MMAP_SIZE, Long.toString(1L << 31));
        }
        if (writable()) {
            config.setJournalMode(SQLiteConfig.JournalMode.WAL);
            config.setSynchronous(synchronous());
        } else {
            config.setReadOnly(!leavesNoTrace());
            config.resetOpenMode(SQLiteOpenMode.CREATE);
        }
        config.setOpenMode(SQLiteOpenMode.OPEN_URI);
        // The driver takes what follows a question mark for options; in a URI it is encoded.
        SqlConnection connection = new SqlConnection(
                config.createConnection("jdbc:sqlite:file:" + file.toUri().getRawPath()));
        try {
            connection.execute("PRAGMA trusted_schema = OFF", "PRAGMA cell_size_check = ON");
            Definitions.require(connection, file, access);
            if (access == Access.READ) {
                connection.limitSteps(file);
            }
            utf8 = connection.text("PRAGMA encoding").orElse("").equals("UTF-8");
            if (writable()) {
                connection.execute("PRAGMA wal_autocheckpoint = " + CHECKPOINT_PAGES);
            } else {
                OldFiles.complete(connection, file, options.clock());
                connection.execute("PRAGMA query_only = ON");
            }
            return connection;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /**
     * Whether to read over a connection that could write: of the two it is the one that takes its side files away when it
     * is closed. Not where a log waits to be written back, which it would do then.
     */
    private boolean leavesNoTrace() {
        try {
            Path log = file.resolveSibling(file.getFileName() + "-wal");
            return Files.isWritable(file) && (!Files.exists(log) || Files.size(log) == 0);
        } catch (IOException e) {
            return false;
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new OntologiaException(
                    ErrorKind.CLOSED, "cannot use " + file, "the store was closed", "open it again");
        }
    }

    /** Notes the newest commit beside the file, after a transaction that may have made one. Best effort: it is stored already. */
    void noteHead(SqlConnection connection) {
        try {
            long head = Log.head(connection);
            if (head > 0) {
                noteHead(head, Digests.previous(connection).orElse(null));
            }
        } catch (SQLException e) {
            connection.failed(e);
        }
    }

    /** Notes the newest commit beside the file. To be called by the thread that has the writing connection. */
    void noteHead(long commitId, @Nullable String digest) {
        if (temporary) {
            return;
        }
        if (mark == null) {
            mark = new HeadMark(file);
        }
        mark.note(commitId, digest);
    }

    @Override
    public void close() {
        synchronized (idleReaders) {
            closed = true;
            idleReaders.forEach(SqlConnection::close);
            idleReaders.clear();
        }
        // A thread that is still writing closes the connection when it is done.
        if (waitForWriter()) {
            doneWriting();
        }
        if (temporary) {
            deleteTemporary();
        }
    }

    private static long newest(SqlConnection connection) {
        try {
            return Log.head(connection);
        } catch (SQLException e) {
            return 0;
        }
    }

    private void deleteTemporary() {
        try {
            for (String suffix : new String[] {"", "-wal", "-shm"}) {
                Files.deleteIfExists(file.resolveSibling(file.getFileName() + suffix));
            }
            Files.deleteIfExists(file.getParent());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
