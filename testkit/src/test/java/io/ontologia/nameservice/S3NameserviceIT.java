package io.ontologia.nameservice;

import io.ontologia.kernel.Clock;
import io.ontologia.objectstore.ObjectStoreOptions;
import io.ontologia.testkit.NameserviceContract;
import io.ontologia.testkit.NameserviceLifecycleContract;
import io.ontologia.testkit.NameserviceListingContract;
import io.ontologia.testkit.NameserviceNamesContract;
import io.ontologia.testkit.NameserviceRaceContract;
import io.ontologia.testkit.S3Server;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** The contract on S3, in every layout. */
class S3NameserviceIT {
    private static S3Server server;

    private final String prefix = UUID.randomUUID().toString();

    @BeforeAll
    static void startServer() {
        server = S3Server.start();
        server.createBucket("names");
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    private Nameservice open(Layout layout, Clock clock) {
        return Nameservices.open(
                "s3://names/" + prefix + "?layout=" + layout,
                NameserviceOptions.defaults()
                        .objectStore(ObjectStoreOptions.defaults().s3(server.options()))
                        .clock(clock));
    }

    @Nested
    class RecordsInA extends NameserviceContract {
        @Override
        protected Nameservice open(Clock clock) {
            return S3NameserviceIT.this.open(Layout.A, clock);
        }
    }

    @Nested
    class LifecycleInA extends NameserviceLifecycleContract {
        @Override
        protected Nameservice open(Clock clock) {
            return S3NameserviceIT.this.open(Layout.A, clock);
        }
    }

    @Nested
    class ListingInA extends NameserviceListingContract {
        @Override
        protected Nameservice open(Clock clock) {
            return S3NameserviceIT.this.open(Layout.A, clock);
        }
    }

    @Nested
    class NamesInA extends NameserviceNamesContract {
        @Override
        protected Nameservice open(Clock clock) {
            return S3NameserviceIT.this.open(Layout.A, clock);
        }
    }

    @Nested
    class RaceInA extends NameserviceRaceContract {
        @Override
        protected Nameservice open(Clock clock) {
            return S3NameserviceIT.this.open(Layout.A, clock);
        }

        @Override
        protected int raceRounds() {
            return 5;
        }
    }

    @Nested
    class RecordsInB extends NameserviceContract {
        @Override
        protected Nameservice open(Clock clock) {
            return S3NameserviceIT.this.open(Layout.B, clock);
        }
    }

    @Nested
    class LifecycleInB extends NameserviceLifecycleContract {
        @Override
        protected Nameservice open(Clock clock) {
            return S3NameserviceIT.this.open(Layout.B, clock);
        }
    }

    @Nested
    class ListingInB extends NameserviceListingContract {
        @Override
        protected Nameservice open(Clock clock) {
            return S3NameserviceIT.this.open(Layout.B, clock);
        }
    }

    @Nested
    class NamesInB extends NameserviceNamesContract {
        @Override
        protected Nameservice open(Clock clock) {
            return S3NameserviceIT.this.open(Layout.B, clock);
        }
    }

    @Nested
    class RaceInB extends NameserviceRaceContract {
        @Override
        protected Nameservice open(Clock clock) {
            return S3NameserviceIT.this.open(Layout.B, clock);
        }

        @Override
        protected int raceRounds() {
            return 5;
        }
    }

    @Nested
    class RecordsInC extends NameserviceContract {
        @Override
        protected Nameservice open(Clock clock) {
            return S3NameserviceIT.this.open(Layout.C, clock);
        }
    }

    @Nested
    class LifecycleInC extends NameserviceLifecycleContract {
        @Override
        protected Nameservice open(Clock clock) {
            return S3NameserviceIT.this.open(Layout.C, clock);
        }
    }

    @Nested
    class ListingInC extends NameserviceListingContract {
        @Override
        protected Nameservice open(Clock clock) {
            return S3NameserviceIT.this.open(Layout.C, clock);
        }
    }

    @Nested
    class NamesInC extends NameserviceNamesContract {
        @Override
        protected Nameservice open(Clock clock) {
            return S3NameserviceIT.this.open(Layout.C, clock);
        }
    }

    @Nested
    class RaceInC extends NameserviceRaceContract {
        @Override
        protected Nameservice open(Clock clock) {
            return S3NameserviceIT.this.open(Layout.C, clock);
        }

        @Override
        protected int raceRounds() {
            return 5;
        }
    }
}
