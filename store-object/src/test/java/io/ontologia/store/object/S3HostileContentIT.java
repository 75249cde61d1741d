package io.ontologia.store.object;

import io.ontologia.testkit.HostileContentContract;
import io.ontologia.testkit.HostileObjects;
import io.ontologia.testkit.HostileStore;
import io.ontologia.testkit.S3Server;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class S3HostileContentIT extends HostileContentContract {
    private static S3Server server;

    @BeforeAll
    static void start() {
        server = S3Server.start();
        server.createBucket("hostile");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    protected String newStore() {
        return "s3://hostile/store";
    }

    @Override
    protected Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>(super.settings());
        settings.put("s3_endpoint_url", server.endpoint().toString());
        settings.put("s3_region", "us-east-1");
        return settings;
    }

    @Override
    protected HostileStore content(Path scratch) throws Exception {
        return new HostileObjects(server.open(uri()), scratch);
    }
}
