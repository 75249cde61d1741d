package io.ontologia.nameservice;

import io.ontologia.kernel.Clock;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.testkit.ForeignFiles;
import io.ontologia.testkit.ForeignRecords;
import io.ontologia.testkit.ForeignTurnsContract;
import io.ontologia.testkit.SettableClock;
import java.util.UUID;
import org.junit.jupiter.api.Nested;

/** Our client and a foreign writer on the same objects, in every layout. */
class ForeignTurnsTest {
    private final String store = "memory:" + UUID.randomUUID();

    private abstract class Turns extends ForeignTurnsContract {
        private final Layout layout;

        Turns(Layout layout) {
            this.layout = layout;
        }

        @Override
        protected Nameservice open(Clock clock) {
            return Nameservices.on(
                    ObjectStores.open(store, clock),
                    layout,
                    NameserviceOptions.defaults().clock(clock));
        }

        @Override
        protected ForeignRecords foreign() {
            return new ForeignFiles(ObjectStores.open(store, new SettableClock()), layout);
        }
    }

    @Nested
    class InA extends Turns {
        InA() {
            super(Layout.A);
        }
    }

    @Nested
    class InB extends Turns {
        InB() {
            super(Layout.B);
        }
    }

    @Nested
    class InC extends Turns {
        InC() {
            super(Layout.C);
        }
    }
}
