package io.ontologia.server;

import io.ontologia.kernel.Clock;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.testkit.NameserviceListingContract;
import org.junit.jupiter.api.extension.RegisterExtension;

class HttpNameserviceListingIT extends NameserviceListingContract {
    @RegisterExtension
    final ServedNames served = ServedNames.inMemory();

    @Override
    protected Nameservice open(Clock clock) {
        return served.client(clock);
    }
}
