package io.ontologia.nameservice.dynamodb;

import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.NameserviceOptions;
import io.ontologia.nameservice.Nameservices;
import io.ontologia.testkit.NameserviceListingContract;
import io.ontologia.testkit.SettableClock;
import org.junit.jupiter.api.extension.RegisterExtension;

class DynamoIndexedListingIT extends NameserviceListingContract {
    @RegisterExtension
    final LocalDynamo dynamo = new LocalDynamo();

    @Override
    protected Nameservice open(SettableClock clock) {
        return Nameservices.open(
                dynamo.uri() + "&listing=indexed", NameserviceOptions.defaults().clock(clock));
    }
}
