package io.ontologia.store.sqlite;

import io.ontologia.testkit.FlippedByteContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;

class SqliteFlippedByteTest extends FlippedByteContract {
    private static final int BYTES = 10;

    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("store.db");
    }

    /** The file has many kinds of pages. */
    @Override
    protected Map<String, List<String>> parts() {
        Map<String, List<String>> parts = new LinkedHashMap<>();
        for (int i = 0; i < BYTES; i++) {
            parts.put("page " + i, List.of("store.db"));
        }
        return parts;
    }

    @Override
    protected byte[] read(String part) throws IOException {
        return Files.readAllBytes(folder.resolve(part));
    }

    @Override
    protected void write(String part, byte[] bytes) throws IOException {
        Files.write(folder.resolve(part), bytes);
    }

    @Override
    protected boolean readsAreChecked() {
        return false;
    }

    /** The specified tables have no place for hashes; commits have theirs in a table beside them. */
    @Override
    protected boolean coversEverything() {
        return false;
    }
}
