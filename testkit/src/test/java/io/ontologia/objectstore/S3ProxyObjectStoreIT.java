package io.ontologia.objectstore;

import io.ontologia.testkit.ObjectStoreContract;
import io.ontologia.testkit.ObjectStoreKeyContract;
import io.ontologia.testkit.ObjectStoreListingContract;
import io.ontologia.testkit.ObjectStoreRaceContract;
import io.ontologia.testkit.S3Server;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** The contract suites on S3Proxy. Its ETags are hashes of the content, and deleting what is gone succeeds. */
class S3ProxyObjectStoreIT {
    private static S3Server server;

    @BeforeAll
    static void startServer() {
        server = S3Server.start();
        server.createBucket("suite");
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Nested
    class OneCaller extends ObjectStoreContract {
        @Override
        protected ObjectStore open() {
            return server.open("s3://suite");
        }

        @Override
        protected boolean etagsAreUniquePerWrite() {
            return false;
        }

        @Override
        protected boolean refusesToDeleteWhatIsGone() {
            return false;
        }
    }

    @Nested
    class BelowAPrefix extends ObjectStoreContract {
        @Override
        protected ObjectStore open() {
            return server.open("s3://suite/below/a prefix");
        }

        @Override
        protected boolean etagsAreUniquePerWrite() {
            return false;
        }

        @Override
        protected boolean refusesToDeleteWhatIsGone() {
            return false;
        }
    }

    @Nested
    class Keys extends ObjectStoreKeyContract {
        @Override
        protected ObjectStore open() {
            return server.open("s3://suite/keys");
        }
    }

    @Nested
    class Listing extends ObjectStoreListingContract {
        @Override
        protected ObjectStore open() {
            return server.open("s3://suite/listing");
        }
    }

    @Nested
    class ListingOfTheWholeBucket extends ObjectStoreListingContract {
        @Override
        protected ObjectStore open() {
            return server.open("s3://suite");
        }
    }

    @Nested
    class Races extends ObjectStoreRaceContract {
        @Override
        protected ObjectStore open() {
            return server.open("s3://suite/races");
        }

        @Override
        protected boolean refusesToDeleteWhatIsGone() {
            return false;
        }
    }
}
