package io.ontologia.nameservice;

import io.ontologia.kernel.Clock;
import io.ontologia.testkit.NameserviceContract;
import io.ontologia.testkit.NameserviceLifecycleContract;
import io.ontologia.testkit.NameserviceListingContract;
import io.ontologia.testkit.NameserviceNamesContract;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** The contract in a folder, in every layout. */
class FolderNameserviceTest {
    @TempDir
    private Path folder;

    private Nameservice open(Layout layout, Clock clock) {
        return Nameservices.open(
                "file://" + folder + "?layout=" + layout,
                NameserviceOptions.defaults().clock(clock));
    }

    @Nested
    class RecordsInA extends NameserviceContract {
        @Override
        protected Nameservice open(Clock clock) {
            return FolderNameserviceTest.this.open(Layout.A, clock);
        }
    }

    @Nested
    class LifecycleInA extends NameserviceLifecycleContract {
        @Override
        protected Nameservice open(Clock clock) {
            return FolderNameserviceTest.this.open(Layout.A, clock);
        }
    }

    @Nested
    class ListingInA extends NameserviceListingContract {
        @Override
        protected Nameservice open(Clock clock) {
            return FolderNameserviceTest.this.open(Layout.A, clock);
        }
    }

    @Nested
    class NamesInA extends NameserviceNamesContract {
        @Override
        protected Nameservice open(Clock clock) {
            return FolderNameserviceTest.this.open(Layout.A, clock);
        }
    }

    @Nested
    class RecordsInB extends NameserviceContract {
        @Override
        protected Nameservice open(Clock clock) {
            return FolderNameserviceTest.this.open(Layout.B, clock);
        }
    }

    @Nested
    class LifecycleInB extends NameserviceLifecycleContract {
        @Override
        protected Nameservice open(Clock clock) {
            return FolderNameserviceTest.this.open(Layout.B, clock);
        }
    }

    @Nested
    class ListingInB extends NameserviceListingContract {
        @Override
        protected Nameservice open(Clock clock) {
            return FolderNameserviceTest.this.open(Layout.B, clock);
        }
    }

    @Nested
    class NamesInB extends NameserviceNamesContract {
        @Override
        protected Nameservice open(Clock clock) {
            return FolderNameserviceTest.this.open(Layout.B, clock);
        }
    }

    @Nested
    class RecordsInC extends NameserviceContract {
        @Override
        protected Nameservice open(Clock clock) {
            return FolderNameserviceTest.this.open(Layout.C, clock);
        }
    }

    @Nested
    class LifecycleInC extends NameserviceLifecycleContract {
        @Override
        protected Nameservice open(Clock clock) {
            return FolderNameserviceTest.this.open(Layout.C, clock);
        }
    }

    @Nested
    class ListingInC extends NameserviceListingContract {
        @Override
        protected Nameservice open(Clock clock) {
            return FolderNameserviceTest.this.open(Layout.C, clock);
        }
    }

    @Nested
    class NamesInC extends NameserviceNamesContract {
        @Override
        protected Nameservice open(Clock clock) {
            return FolderNameserviceTest.this.open(Layout.C, clock);
        }
    }
}
