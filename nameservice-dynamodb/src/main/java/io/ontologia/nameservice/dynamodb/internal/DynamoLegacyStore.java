package io.ontologia.nameservice.dynamodb.internal;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.RandomIds;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.LegacyStore;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.dynamodb.internal.Requests.Written;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Finds and migrates items of version 1. */
final class DynamoLegacyStore implements LegacyStore {
    /** More than others change an item of version 1 while it is migrated. */
    private static final int MAX_ROUNDS = 10;

    private final TableLocation location;
    private final DynamoDbClient client;
    private final Requests requests;
    private final RecordItems items;
    private final Listing listing;
    private final RandomGenerator random;
    private final Function<Alias, Map<String, AttributeValue>> getter;

    /** @param getter reads an item; empty when there is none */
    DynamoLegacyStore(
            TableLocation location,
            DynamoDbClient client,
            Requests requests,
            RecordItems items,
            Listing listing,
            RandomGenerator random,
            Function<Alias, Map<String, AttributeValue>> getter) {
        this.location = location;
        this.client = client;
        this.requests = requests;
        this.items = items;
        this.listing = listing;
        this.random = random;
        this.getter = getter;
    }

    @Override
    public Page first() {
        return listing.legacy(Optional.empty());
    }

    @Override
    public Page after(String token) {
        return listing.legacy(Optional.of(token));
    }

    @Override
    public Optional<NameRecord> migrate(Alias alias) {
        String problem = "cannot migrate '" + alias + "'";
        String attempt = RandomIds.hex(random, 24);
        Map<String, AttributeValue> item = getter.apply(alias);
        for (int round = 0; round < MAX_ROUNDS; round++) {
            if (item.isEmpty() || !items.isLegacy(item)) {
                boolean ours = RecordItems.writer(RecordItems.CREATED_BY, item)
                        .filter(attempt::equals)
                        .isPresent();
                return ours ? Optional.of(items.record(item)) : Optional.empty();
            }
            NameRecord record = items.record(item);
            var request = Upgrade.request(location, items, item, record, RecordItems.CREATED_BY, attempt);
            Written written =
                    requests.write(problem, () -> client.putItem(request).attributes());
            if (written instanceof Written.Done) {
                return Optional.of(record);
            }
            if (written instanceof Written.Lost lost) {
                throw lost.reason();
            }
            item = ((Written.Refused) written).item();
        }
        throw new OntologiaException(ErrorKind.BUSY, problem, "others kept changing the record", "try again");
    }
}
