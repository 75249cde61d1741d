package io.ontologia.nameservice;

import io.ontologia.kernel.Clock;
import io.ontologia.testkit.NameserviceListingContract;

class MemoryNameserviceListingTest extends NameserviceListingContract {
    @Override
    protected Nameservice open(Clock clock) {
        return Nameservices.open("memory:", NameserviceOptions.defaults().clock(clock));
    }

    @Override
    protected boolean canBeOpenedTwice() {
        return false;
    }
}
