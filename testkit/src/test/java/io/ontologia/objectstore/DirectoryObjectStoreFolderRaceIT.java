package io.ontologia.objectstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One name is an object now and a folder then. */
class DirectoryObjectStoreFolderRaceIT {
    private static final int ROUNDS = 1000;

    @TempDir(factory = MemoryDisk.class)
    private Path root;

    @Test
    void removing_an_empty_folder_never_removes_an_object_that_took_its_name() throws Exception {
        ObjectStore store = DirectoryChange.open(root);
        ExecutorService threads = Executors.newFixedThreadPool(4);

        try {
            List<Callable<Integer>> writers = List.of(
                    () -> putReadAndDelete(store, "x"),
                    () -> putReadAndDelete(store, "x/y"),
                    () -> putReadAndDelete(store, "x/y/z"),
                    () -> putReadAndDelete(store, "x/w"));
            for (Future<Integer> landed : threads.invokeAll(writers)) {
                assertThat(landed.get()).isPositive();
            }
        } finally {
            threads.shutdownNow();
        }

        assertThat(store.list(ListRequest.of("")).objects()).isEmpty();
    }

    /** Nobody else writes the key, so what was put must be there until it is deleted. Returns how often a put landed. */
    private static int putReadAndDelete(ObjectStore store, String key) {
        int landed = 0;
        for (int i = 0; i < ROUNDS; i++) {
            String text = key + i;
            try {
                store.put(key, Payload.of(text));
            } catch (OntologiaException e) {
                assertThat(e.kind()).as(e.getMessage()).isEqualTo(ErrorKind.INVALID_INPUT);
                continue;
            }
            assertThat(store.get(key).map(StoredObject::text)).contains(text);
            store.delete(key);
            landed++;
        }
        return landed;
    }
}
