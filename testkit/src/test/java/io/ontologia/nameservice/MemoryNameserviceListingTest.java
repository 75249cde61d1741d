package io.ontologia.nameservice;

import io.ontologia.testkit.NameserviceListingContract;
import io.ontologia.testkit.SettableClock;

class MemoryNameserviceListingTest extends NameserviceListingContract {
    @Override
    protected Nameservice open(SettableClock clock) {
        return Nameservices.open("memory:", NameserviceOptions.defaults().clock(clock));
    }

    @Override
    protected boolean canBeOpenedTwice() {
        return false;
    }
}
