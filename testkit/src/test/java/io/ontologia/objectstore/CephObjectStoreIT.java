package io.ontologia.objectstore;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ontologia.testkit.CephServer;
import io.ontologia.testkit.ObjectStoreContract;
import io.ontologia.testkit.ObjectStoreKeyContract;
import io.ontologia.testkit.ObjectStoreListingContract;
import io.ontologia.testkit.ObjectStoreRaceContract;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The contract suites on Ceph's gateway, a server that was not written for them. Run by {@code mvn -Pceph verify}. */
@Tag("ceph")
class CephObjectStoreIT {
    private static CephServer server;

    @BeforeAll
    static void startServer() {
        List<String> missing = CephServer.missingPrograms();
        assumeTrue(
                missing.isEmpty(),
                () -> "Ceph is not installed: " + missing + " are missing. Run .ci/ceph/install as root");
        server = CephServer.start();
        server.createBucket("suite");
    }

    @AfterAll
    static void stopServer() {
        if (server != null) {
            server.close();
        }
    }

    @Nested
    class OneCaller extends ObjectStoreContract {
        @Override
        protected ObjectStore open() {
            return server.open("s3://suite/one");
        }

        @Override
        protected boolean enforcesConditionalDelete() {
            return false;
        }

        @Override
        protected boolean losersMayBeUnknown() {
            return true;
        }

        @Override
        protected boolean etagsAreUniquePerWrite() {
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
        protected boolean enforcesConditionalDelete() {
            return false;
        }

        @Override
        protected boolean losersMayBeUnknown() {
            return true;
        }

        @Override
        protected boolean etagsAreUniquePerWrite() {
            return false;
        }
    }
}
