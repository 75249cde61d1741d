package io.ontologia.store.object;

import io.ontologia.core.Maintenance;
import io.ontologia.testkit.ErasedContentContract;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;

class ErasureInFolderTest extends ErasedContentContract {
    private Instant later = Instant.parse("2200-01-01T00:00:00Z");

    @TempDir
    Path folder;

    @Override
    protected String newStore() {
        return folder.resolve("store").toUri().toString();
    }

    @Override
    protected Map<String, String> settings() {
        return Map.of("cache_dir", folder.resolve("cache").toString());
    }

    @Override
    protected List<String> placesOf(String text) {
        return StoredTexts.in(folder, text);
    }

    @Override
    protected void collectGarbage() {
        // Files get the time of the machine or of the store's clock: later than both.
        later = later.plus(Duration.ofHours(2));
        clock.setWallClock(later);
        try (Maintenance maintenance = maintain()) {
            maintenance.storage().upkeep().orElseThrow().collectGarbage(Duration.ofHours(1));
        }
    }
}
