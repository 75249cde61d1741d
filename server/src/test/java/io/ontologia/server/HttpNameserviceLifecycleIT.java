package io.ontologia.server;

import io.ontologia.nameservice.Nameservice;
import io.ontologia.testkit.NameserviceLifecycleContract;
import io.ontologia.testkit.SettableClock;
import org.junit.jupiter.api.extension.RegisterExtension;

class HttpNameserviceLifecycleIT extends NameserviceLifecycleContract {
    @RegisterExtension
    final ServedNames served = ServedNames.inMemory();

    @Override
    protected Nameservice open(SettableClock clock) {
        return served.client(clock);
    }
}
