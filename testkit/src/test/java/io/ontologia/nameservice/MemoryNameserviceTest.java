package io.ontologia.nameservice;

import io.ontologia.testkit.NameserviceContract;
import io.ontologia.testkit.SettableClock;

class MemoryNameserviceTest extends NameserviceContract {
    @Override
    protected Nameservice open(SettableClock clock) {
        return Nameservices.open("memory:", NameserviceOptions.defaults().clock(clock));
    }

    @Override
    protected boolean canBeOpenedTwice() {
        return false;
    }
}
