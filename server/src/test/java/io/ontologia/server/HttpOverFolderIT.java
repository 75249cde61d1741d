package io.ontologia.server;

import io.ontologia.kernel.Clock;
import io.ontologia.nameservice.Layout;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.NameserviceOptions;
import io.ontologia.nameservice.Nameservices;
import io.ontologia.testkit.NameserviceContract;
import io.ontologia.testkit.NameserviceLifecycleContract;
import io.ontologia.testkit.NameserviceListingContract;
import io.ontologia.testkit.NameserviceNamesContract;
import io.ontologia.testkit.NameserviceRaceContract;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The contract over HTTP, on records in a folder. */
class HttpOverFolderIT {
    @TempDir
    private Path folder;

    private ServedNames served(Layout layout) {
        return new ServedNames(clock -> Nameservices.open(
                "file://" + folder + "?layout=" + layout,
                NameserviceOptions.defaults().clock(clock)));
    }

    @Nested
    class RecordsInA extends NameserviceContract {
        @RegisterExtension
        final ServedNames served = served(Layout.A);

        @Override
        protected Nameservice open(Clock clock) {
            return served.client(clock);
        }
    }

    @Nested
    class LifecycleInA extends NameserviceLifecycleContract {
        @RegisterExtension
        final ServedNames served = served(Layout.A);

        @Override
        protected Nameservice open(Clock clock) {
            return served.client(clock);
        }
    }

    @Nested
    class RecordsInB extends NameserviceContract {
        @RegisterExtension
        final ServedNames served = served(Layout.B);

        @Override
        protected Nameservice open(Clock clock) {
            return served.client(clock);
        }
    }

    @Nested
    class LifecycleInB extends NameserviceLifecycleContract {
        @RegisterExtension
        final ServedNames served = served(Layout.B);

        @Override
        protected Nameservice open(Clock clock) {
            return served.client(clock);
        }
    }

    @Nested
    class ListingInB extends NameserviceListingContract {
        @RegisterExtension
        final ServedNames served = served(Layout.B);

        @Override
        protected Nameservice open(Clock clock) {
            return served.client(clock);
        }
    }

    @Nested
    class NamesInB extends NameserviceNamesContract {
        @RegisterExtension
        final ServedNames served = served(Layout.B);

        @Override
        protected Nameservice open(Clock clock) {
            return served.client(clock);
        }
    }

    @Nested
    class RaceInB extends NameserviceRaceContract {
        @RegisterExtension
        final ServedNames served = served(Layout.B);

        @Override
        protected Nameservice open(Clock clock) {
            return served.client(clock);
        }

        @Override
        protected int raceRounds() {
            return 5;
        }
    }

    @Nested
    class RecordsInC extends NameserviceContract {
        @RegisterExtension
        final ServedNames served = served(Layout.C);

        @Override
        protected Nameservice open(Clock clock) {
            return served.client(clock);
        }
    }

    @Nested
    class LifecycleInC extends NameserviceLifecycleContract {
        @RegisterExtension
        final ServedNames served = served(Layout.C);

        @Override
        protected Nameservice open(Clock clock) {
            return served.client(clock);
        }
    }

    @Nested
    class RaceInC extends NameserviceRaceContract {
        @RegisterExtension
        final ServedNames served = served(Layout.C);

        @Override
        protected Nameservice open(Clock clock) {
            return served.client(clock);
        }

        @Override
        protected int raceRounds() {
            return 5;
        }
    }
}
