package io.ontologia.nameservice;

import io.ontologia.testkit.NameserviceLifecycleContract;
import io.ontologia.testkit.SettableClock;

class MemoryNameserviceLifecycleTest extends NameserviceLifecycleContract {
    @Override
    protected Nameservice open(SettableClock clock) {
        return Nameservices.open("memory:", NameserviceOptions.defaults().clock(clock));
    }

    @Override
    protected boolean canBeOpenedTwice() {
        return false;
    }
}
