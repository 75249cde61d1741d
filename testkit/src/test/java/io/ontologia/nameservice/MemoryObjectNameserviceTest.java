package io.ontologia.nameservice;

import io.ontologia.kernel.Clock;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.testkit.NameserviceContract;
import io.ontologia.testkit.NameserviceLifecycleContract;
import io.ontologia.testkit.NameserviceListingContract;
import io.ontologia.testkit.NameserviceNamesContract;
import io.ontologia.testkit.NameserviceRaceContract;
import java.util.UUID;
import org.junit.jupiter.api.Nested;

/** The contract on objects in memory, in every layout: clients that share nothing but the store. */
class MemoryObjectNameserviceTest {
    private final String store = "memory:" + UUID.randomUUID();

    private Nameservice open(Layout layout, Clock clock) {
        return Nameservices.on(
                ObjectStores.open(store, clock),
                layout,
                NameserviceOptions.defaults().clock(clock));
    }

    @Nested
    class RecordsInA extends NameserviceContract {
        @Override
        protected Nameservice open(Clock clock) {
            return MemoryObjectNameserviceTest.this.open(Layout.A, clock);
        }
    }

    @Nested
    class LifecycleInA extends NameserviceLifecycleContract {
        @Override
        protected Nameservice open(Clock clock) {
            return MemoryObjectNameserviceTest.this.open(Layout.A, clock);
        }
    }

    @Nested
    class ListingInA extends NameserviceListingContract {
        @Override
        protected Nameservice open(Clock clock) {
            return MemoryObjectNameserviceTest.this.open(Layout.A, clock);
        }
    }

    @Nested
    class NamesInA extends NameserviceNamesContract {
        @Override
        protected Nameservice open(Clock clock) {
            return MemoryObjectNameserviceTest.this.open(Layout.A, clock);
        }
    }

    @Nested
    class RaceInA extends NameserviceRaceContract {
        @Override
        protected Nameservice open(Clock clock) {
            return MemoryObjectNameserviceTest.this.open(Layout.A, clock);
        }
    }

    @Nested
    class RecordsInB extends NameserviceContract {
        @Override
        protected Nameservice open(Clock clock) {
            return MemoryObjectNameserviceTest.this.open(Layout.B, clock);
        }
    }

    @Nested
    class LifecycleInB extends NameserviceLifecycleContract {
        @Override
        protected Nameservice open(Clock clock) {
            return MemoryObjectNameserviceTest.this.open(Layout.B, clock);
        }
    }

    @Nested
    class ListingInB extends NameserviceListingContract {
        @Override
        protected Nameservice open(Clock clock) {
            return MemoryObjectNameserviceTest.this.open(Layout.B, clock);
        }
    }

    @Nested
    class NamesInB extends NameserviceNamesContract {
        @Override
        protected Nameservice open(Clock clock) {
            return MemoryObjectNameserviceTest.this.open(Layout.B, clock);
        }
    }

    @Nested
    class RaceInB extends NameserviceRaceContract {
        @Override
        protected Nameservice open(Clock clock) {
            return MemoryObjectNameserviceTest.this.open(Layout.B, clock);
        }
    }

    @Nested
    class RecordsInC extends NameserviceContract {
        @Override
        protected Nameservice open(Clock clock) {
            return MemoryObjectNameserviceTest.this.open(Layout.C, clock);
        }
    }

    @Nested
    class LifecycleInC extends NameserviceLifecycleContract {
        @Override
        protected Nameservice open(Clock clock) {
            return MemoryObjectNameserviceTest.this.open(Layout.C, clock);
        }
    }

    @Nested
    class ListingInC extends NameserviceListingContract {
        @Override
        protected Nameservice open(Clock clock) {
            return MemoryObjectNameserviceTest.this.open(Layout.C, clock);
        }
    }

    @Nested
    class NamesInC extends NameserviceNamesContract {
        @Override
        protected Nameservice open(Clock clock) {
            return MemoryObjectNameserviceTest.this.open(Layout.C, clock);
        }
    }

    @Nested
    class RaceInC extends NameserviceRaceContract {
        @Override
        protected Nameservice open(Clock clock) {
            return MemoryObjectNameserviceTest.this.open(Layout.C, clock);
        }
    }
}
