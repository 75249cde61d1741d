package io.ontologia.store.sqlite;

import io.ontologia.testkit.WriteLockContract;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteWriteLockTest extends WriteLockContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("onto.db");
    }

    @Test
    void a_dead_holder_whose_clock_was_a_day_ahead_does_not_block_writers_until_tomorrow() {
        assertBlockedNoLongerThanTheLease();
    }
}
