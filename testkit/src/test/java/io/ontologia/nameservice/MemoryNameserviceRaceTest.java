package io.ontologia.nameservice;

import io.ontologia.kernel.Clock;
import io.ontologia.testkit.NameserviceRaceContract;

class MemoryNameserviceRaceTest extends NameserviceRaceContract {
    @Override
    protected Nameservice open(Clock clock) {
        return Nameservices.open("memory:", NameserviceOptions.defaults().clock(clock));
    }

    @Override
    protected boolean canBeOpenedTwice() {
        return false;
    }
}
