package io.ontologia.store.sqlite;

import io.ontologia.testkit.FlippedByteContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;

/** Of the write-ahead log, as a process that was killed leaves it, and of the mark beside it. */
class SqliteFlippedLogTest extends FlippedByteContract {
    private static final String COPY = "copy.db";
    private static final List<String> SUFFIXES = List.of("", "-wal", "-head");

    @TempDir
    Path folder;

    private final Map<String, byte[]> originals = new LinkedHashMap<>();

    @Override
    protected String newStore() {
        return "sqlite:///" + folder.resolve("store.db");
    }

    @Override
    protected String damaged() {
        return "sqlite:///" + folder.resolve(COPY);
    }

    @Override
    protected void filled() throws IOException {
        for (String suffix : SUFFIXES) {
            originals.put(COPY + suffix, Files.readAllBytes(folder.resolve("store.db" + suffix)));
        }
        restore();
    }

    private void restore() throws IOException {
        Files.deleteIfExists(folder.resolve(COPY + "-shm"));
        for (Map.Entry<String, byte[]> original : originals.entrySet()) {
            Files.write(folder.resolve(original.getKey()), original.getValue());
        }
    }

    @Override
    protected Map<String, List<String>> parts() {
        Map<String, List<String>> parts = new LinkedHashMap<>();
        for (int i = 0; i < 8; i++) {
            parts.put("log " + i, List.of(COPY + "-wal"));
        }
        parts.put("mark", List.of(COPY + "-head"));
        return parts;
    }

    @Override
    protected byte[] read(String part) throws IOException {
        restore();
        return Files.readAllBytes(folder.resolve(part));
    }

    @Override
    protected void write(String part, byte[] bytes) throws IOException {
        restore();
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
