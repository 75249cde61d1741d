package io.ontologia.nameservice;

import io.ontologia.testkit.NameserviceNamesContract;
import io.ontologia.testkit.SettableClock;

class MemoryNameserviceNamesTest extends NameserviceNamesContract {
    @Override
    protected Nameservice open(SettableClock clock) {
        return Nameservices.open("memory:", NameserviceOptions.defaults().clock(clock));
    }

    @Override
    protected boolean canBeOpenedTwice() {
        return false;
    }
}
