package io.ontologia.nameservice.dynamodb;

import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.NameserviceOptions;
import io.ontologia.nameservice.dynamodb.internal.DynamoClients;
import io.ontologia.nameservice.dynamodb.internal.DynamoNameservice;
import io.ontologia.nameservice.dynamodb.internal.TableLocation;
import io.ontologia.nameservice.spi.NameserviceProvider;

/**
 * Opens {@code dynamodb://table?region=…&endpoint=…&listing=consistent|indexed&key=pk}. Credentials come from the AWS default
 * chain, never from the URI. Opening sends nothing: a missing table is reported by the first call.
 *
 * <p>Listings read the table, consistently. With {@code listing=indexed} those by type or state ask the indexes first, which costs
 * less in large tables and may miss what was created or changed state moments ago; the records they show are current.
 *
 * <p>{@code key} names the partition key of a table that was made for schema version 1 ({@code ledger_alias}).
 */
public final class DynamoDbProvider implements NameserviceProvider {
    /** For the service loader. */
    public DynamoDbProvider() {}

    @Override
    public boolean accepts(String uri) {
        return uri.startsWith(TableLocation.SCHEME);
    }

    @Override
    public String uriForm() {
        return TableLocation.FORM;
    }

    @Override
    public Nameservice open(String uri, NameserviceOptions options) {
        TableLocation location = TableLocation.parse(uri);
        return new DynamoNameservice(location, DynamoClients.open(location), options);
    }
}
