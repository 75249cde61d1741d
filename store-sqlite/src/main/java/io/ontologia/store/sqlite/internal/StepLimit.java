package io.ontologia.store.sqlite.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.sqlite.ProgressHandler;

/**
 * Ends a statement that takes many more steps than a file of its size can need. In a file that is not damaged or made by an
 * attacker the number of steps is bounded by the rows and by the length of the statement.
 */
final class StepLimit {
    /** How many steps SQLite takes between two questions whether to go on; a question costs about a microsecond. */
    private static final int STEPS = 1_000_000;

    private static final long LEAST = 50_000_000;
    private static final long FOR_A_BYTE = 1_000;

    private final Path file;
    private long taken;
    private long length;

    private StepLimit(Path file) {
        this.file = file;
    }

    /** Sets a limit for each statement that begins on a connection. */
    static StepLimit on(Connection connection, Path file) throws SQLException {
        StepLimit limit = new StepLimit(file);
        ProgressHandler.setHandler(connection, STEPS, new ProgressHandler() {
            @Override
            protected int progress() {
                return limit.isReached() ? 1 : 0;
            }
        });
        return limit;
    }

    /** A statement begins. */
    void begin(String sql) {
        taken = 0;
        length = sql.length();
    }

    private boolean isReached() {
        taken += STEPS;
        return taken > LEAST && taken > allowed();
    }

    private double allowed() {
        double bytes = size("") + size("-wal");
        return LEAST + bytes * FOR_A_BYTE + bytes * length / 100;
    }

    private double size(String suffix) {
        try {
            return Files.size(file.resolveSibling(file.getFileName() + suffix));
        } catch (IOException e) {
            return 0;
        }
    }
}
