package io.ontologia.store.object;

import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.testkit.ForeignObjects;
import io.ontologia.testkit.ForeignWriter;
import io.ontologia.testkit.ForeignWriterContract;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** Turns with a foreign writer on object stores without a server. */
class ObjectForeignTurnsTest {
    private abstract static class Turns extends ForeignWriterContract {
        @TempDir
        Path folder;

        private @Nullable ObjectStore store;

        abstract String location();

        @Override
        protected String newStore() {
            ObjectStore opened = ObjectStores.open(location(), clock);
            store = opened;
            return TestStoreProvider.uriOf(opened);
        }

        @Override
        protected ForeignWriter foreign(String uri) throws Exception {
            return new ForeignObjects(Objects.requireNonNull(store), clock, folder);
        }

        @AfterEach
        void closeStore() {
            Objects.requireNonNull(store).close();
        }
    }

    @Nested
    class InMemory extends Turns {
        @Override
        String location() {
            return "memory:";
        }
    }

    @Nested
    class InFolder extends Turns {
        @TempDir
        Path objects;

        @Override
        protected int steps() {
            return 15;
        }

        @Override
        String location() {
            return objects.toUri().toString();
        }
    }
}
