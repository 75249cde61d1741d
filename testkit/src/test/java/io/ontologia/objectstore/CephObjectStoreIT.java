package io.ontologia.objectstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.testkit.CephServer;
import io.ontologia.testkit.LeaseContract;
import io.ontologia.testkit.LeaseInterchangeContract;
import io.ontologia.testkit.ObjectStoreContract;
import io.ontologia.testkit.ObjectStoreKeyContract;
import io.ontologia.testkit.ObjectStoreListingContract;
import io.ontologia.testkit.ObjectStoreRaceContract;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** The contract suites on Ceph's gateway, a server that was not written for them. Run by {@code mvn -Pceph verify}. */
@Tag("ceph")
@EnabledIf(value = "isInstalled", disabledReason = "Ceph is not installed")
class CephObjectStoreIT {
    private static CephServer server;

    static boolean isInstalled() {
        List<String> missing = CephServer.missingPrograms();
        if (!missing.isEmpty()) {
            System.out.println("Skipped: Ceph is not installed, " + String.join(", ", missing)
                    + " are missing. Run .ci/ceph/install as root.");
        }
        return missing.isEmpty();
    }

    @BeforeAll
    static void startServer() {
        server = CephServer.start();
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

    @Nested
    class Leases extends LeaseContract {
        @Override
        protected ObjectStore open() {
            return server.open("s3://suite/leases");
        }

        @Override
        protected boolean enforcesConditionalDelete() {
            return false;
        }
    }

    @Nested
    class LeaseInterchange extends LeaseInterchangeContract {
        @Override
        protected ObjectStore open() {
            return server.open("s3://suite/interchange");
        }

        @Override
        protected boolean enforcesConditionalDelete() {
            return false;
        }
    }

    @Test
    void the_probe_sees_that_conditional_deletes_are_not_enforced() {
        try (ObjectStore store = server.open("s3://suite/probed")) {
            StoreCapabilities capabilities = StoreProbe.check(store, new SplittableRandom());

            assertThat(capabilities.releaseStyle()).isEqualTo(ReleaseStyle.EXPIRE);
            assertThat(store.list(ListRequest.of("")).objects()).isEmpty();
        }
    }
}
