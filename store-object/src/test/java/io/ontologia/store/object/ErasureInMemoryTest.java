package io.ontologia.store.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.ErasureRemains;
import io.ontologia.core.Finding;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Progress;
import io.ontologia.core.Window;
import io.ontologia.core.spi.Upkeep;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStoreOptions;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.testkit.ErasedContentContract;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ErasureInMemoryTest extends ErasedContentContract {
    @TempDir
    Path cache;

    private final ObjectStore objects =
            ObjectStores.open("memory:", ObjectStoreOptions.defaults().clock(clock));

    @Override
    protected String newStore() {
        return TestStoreProvider.uriOf(objects);
    }

    @Override
    protected Map<String, String> settings() {
        return Map.of("cache_dir", cache.toString());
    }

    @Override
    protected List<String> placesOf(String text) {
        List<String> places = new ArrayList<>(StoredTexts.in(objects, text));
        // Each opening of such a store has local tables of its own, which the erasure does not reach.
        places.addAll(StoredTexts.in(cache.resolve("objects"), text));
        return places;
    }

    @Override
    protected void collectGarbage() {
        clock.advance(Duration.ofHours(2));
        upkeep(upkeep -> upkeep.collectGarbage(Duration.ofHours(1)));
    }

    private <T> T upkeep(java.util.function.Function<Upkeep, T> work) {
        try (Maintenance maintenance = maintain()) {
            return work.apply(maintenance.storage().upkeep().orElseThrow());
        }
    }

    @Test
    void files_that_hold_erased_content_are_named_until_gc_removes_them() {
        fill();

        ErasureRemains remains = erase().remains();

        assertThat(remains.places()).isNotEmpty();
        assertThat(remains.removableFrom()).contains(clock.now().plus(Duration.ofHours(1)));
        assertThat(remaining()).extracting(Finding::code).containsExactly("erased-content");
        upkeep(upkeep -> upkeep.collectGarbage(Duration.ZERO));
        assertThat(remaining()).as("too young to be removed").hasSize(1);
        collectGarbage();
        assertThat(remaining()).isEmpty();
    }

    @Test
    void compacted_files_are_rewritten_too() {
        fill();
        for (long i = 0; i < 12; i++) {
            commit(ALL, entity("Customer", "c" + i, Map.of("name", "n" + i)));
        }
        upkeep(upkeep -> upkeep.compact(Optional.empty(), "operator", Progress.none()));

        erase();
        collectGarbage();

        assertThat(placesOf(SECRET)).isEmpty();
        assertThat(problems()).isEmpty();
        assertThat(keys(CUSTOMER, new Window.AsOf(3))).containsExactly("other");
        assertThat(keys(CUSTOMER, new Window.Latest())).hasSize(13);
    }

    @Test
    void compaction_and_repair_after_an_erasure_bring_nothing_back() {
        fill();
        erase();
        for (long i = 0; i < 12; i++) {
            commit(ALL, entity("Customer", "c" + i, Map.of("name", "n" + i)));
        }

        upkeep(upkeep -> upkeep.compact(Optional.empty(), "operator", Progress.none()));
        objects.list(ListRequest.of("meta/indices/")).objects().stream()
                .map(ObjectSummary::key)
                .forEach(objects::delete);
        objects.list(ListRequest.of("meta/checkpoints/")).objects().stream()
                .map(ObjectSummary::key)
                .forEach(objects::delete);
        assertThat(keys(CUSTOMER, new Window.History(0))).hasSize(13).doesNotContain(KEY);
        upkeep(Upkeep::repairIndices);

        assertThat(keys(CUSTOMER, new Window.History(0))).hasSize(13).doesNotContain(KEY);
        assertThat(problems()).isEmpty();
        collectGarbage();
        assertThat(placesOf(SECRET)).isEmpty();
        assertThat(problems()).isEmpty();
        assertThat(keys(CUSTOMER, new Window.AsOf(2))).containsExactly("other");
    }
}
