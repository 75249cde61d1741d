package io.ontologia.store.object;

import io.ontologia.testkit.FlippedByteContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;

/** Of the objects that never change: manifests, data files and schema versions. */
class FolderFlippedByteTest extends FlippedByteContract {
    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return folder.resolve("store").toUri().toString();
    }

    @Override
    protected List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(folder.resolve("store"))) {
            return all.filter(Files::isRegularFile)
                    .filter(path -> path.toString().contains("/commits/")
                            || path.toString().contains("/schema/versions/"))
                    .filter(path ->
                            path.toString().endsWith(".json") || path.toString().endsWith(".parquet"))
                    .sorted()
                    .toList();
        }
    }

    @Override
    protected boolean readsAreChecked() {
        return true;
    }
}
