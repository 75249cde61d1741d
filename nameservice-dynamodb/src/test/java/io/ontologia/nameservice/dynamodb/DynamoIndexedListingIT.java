package io.ontologia.nameservice.dynamodb;

import io.ontologia.kernel.Clock;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.NameserviceOptions;
import io.ontologia.nameservice.Nameservices;
import io.ontologia.testkit.NameserviceListingContract;
import org.junit.jupiter.api.extension.RegisterExtension;

class DynamoIndexedListingIT extends NameserviceListingContract {
    @RegisterExtension
    final LocalDynamo dynamo = new LocalDynamo();

    @Override
    protected Nameservice open(Clock clock) {
        return Nameservices.open(
                dynamo.uri() + "&listing=indexed", NameserviceOptions.defaults().clock(clock));
    }
}
