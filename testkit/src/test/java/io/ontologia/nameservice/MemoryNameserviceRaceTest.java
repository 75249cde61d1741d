package io.ontologia.nameservice;

import io.ontologia.testkit.NameserviceRaceContract;
import io.ontologia.testkit.SettableClock;

class MemoryNameserviceRaceTest extends NameserviceRaceContract {
    @Override
    protected Nameservice open(SettableClock clock) {
        return Nameservices.open("memory:", NameserviceOptions.defaults().clock(clock));
    }

    @Override
    protected boolean canBeOpenedTwice() {
        return false;
    }
}
