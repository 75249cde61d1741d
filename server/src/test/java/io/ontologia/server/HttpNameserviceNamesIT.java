package io.ontologia.server;

import io.ontologia.kernel.Clock;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.testkit.NameserviceNamesContract;
import org.junit.jupiter.api.extension.RegisterExtension;

class HttpNameserviceNamesIT extends NameserviceNamesContract {
    @RegisterExtension
    final ServedNames served = ServedNames.inMemory();

    @Override
    protected Nameservice open(Clock clock) {
        return served.client(clock);
    }
}
