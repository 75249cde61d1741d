package io.ontologia.server;

import io.ontologia.kernel.Clock;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.testkit.NameserviceLifecycleContract;
import org.junit.jupiter.api.extension.RegisterExtension;

class HttpNameserviceLifecycleIT extends NameserviceLifecycleContract {
    @RegisterExtension
    final ServedNames served = ServedNames.inMemory();

    @Override
    protected Nameservice open(Clock clock) {
        return served.client(clock);
    }
}
