package io.ontologia.store.object;

import io.ontologia.objectstore.ObjectStore;
import io.ontologia.testkit.ForeignObjects;
import io.ontologia.testkit.ForeignWriter;
import io.ontologia.testkit.ForeignWriterContract;
import io.ontologia.testkit.S3Server;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Turns with a foreign writer on S3. */
class ObjectForeignTurnsIT extends ForeignWriterContract {
    private static S3Server server;

    @TempDir
    Path folder;

    private @Nullable ObjectStore store;

    @BeforeAll
    static void start() {
        server = S3Server.start();
        server.createBucket("foreign");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    protected int steps() {
        return 15;
    }

    @Override
    protected String newStore() {
        ObjectStore opened = server.open("s3://foreign/store");
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
