package io.ontologia.nameservice.dynamodb;

import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.NameserviceOptions;
import io.ontologia.nameservice.Nameservices;
import io.ontologia.testkit.NameserviceNamesContract;
import io.ontologia.testkit.SettableClock;
import org.junit.jupiter.api.extension.RegisterExtension;

class DynamoNameserviceNamesIT extends NameserviceNamesContract {
    @RegisterExtension
    final LocalDynamo dynamo = new LocalDynamo();

    @Override
    protected Nameservice open(SettableClock clock) {
        return Nameservices.open(dynamo.uri(), NameserviceOptions.defaults().clock(clock));
    }
}
