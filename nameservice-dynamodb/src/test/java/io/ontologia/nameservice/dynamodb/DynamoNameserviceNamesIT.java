package io.ontologia.nameservice.dynamodb;

import io.ontologia.kernel.Clock;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.NameserviceOptions;
import io.ontologia.nameservice.Nameservices;
import io.ontologia.testkit.NameserviceNamesContract;
import org.junit.jupiter.api.extension.RegisterExtension;

class DynamoNameserviceNamesIT extends NameserviceNamesContract {
    @RegisterExtension
    final LocalDynamo dynamo = new LocalDynamo();

    @Override
    protected Nameservice open(Clock clock) {
        return Nameservices.open(dynamo.uri(), NameserviceOptions.defaults().clock(clock));
    }
}
