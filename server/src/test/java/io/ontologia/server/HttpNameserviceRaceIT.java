package io.ontologia.server;

import io.ontologia.nameservice.Nameservice;
import io.ontologia.testkit.NameserviceRaceContract;
import io.ontologia.testkit.SettableClock;
import org.junit.jupiter.api.extension.RegisterExtension;

class HttpNameserviceRaceIT extends NameserviceRaceContract {
    @RegisterExtension
    final ServedNames served = ServedNames.inMemory();

    @Override
    protected Nameservice open(SettableClock clock) {
        return served.client(clock);
    }
}
