package io.ontologia.store.object;

import io.ontologia.objectstore.ObjectStore;
import io.ontologia.testkit.S3Server;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class S3FlippedByteIT extends FlippedObjectByteContract {
    private static S3Server server;

    @BeforeAll
    static void start() {
        server = S3Server.start();
        server.createBucket("flipped");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    protected String newStore() {
        return "s3://flipped/store";
    }

    @Override
    protected Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>(super.settings());
        settings.put("s3_endpoint_url", server.endpoint().toString());
        settings.put("s3_region", "us-east-1");
        return settings;
    }

    @Override
    ObjectStore objects() {
        return server.open(uri());
    }
}
