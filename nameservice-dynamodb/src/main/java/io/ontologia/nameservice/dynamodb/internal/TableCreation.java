package io.ontologia.nameservice.dynamodb.internal;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.NameserviceOptions;
import io.ontologia.nameservice.dynamodb.NameserviceTable.Index;
import io.ontologia.nameservice.dynamodb.NameserviceTable.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexUpdate;
import software.amazon.awssdk.services.dynamodb.model.IndexStatus;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.Projection;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;

/**
 * Looks at the table, does the next thing that is missing, and looks again, until nothing is. So it does not matter who else does
 * the same, or where an earlier run broke off.
 *
 * <p>The indexes have no sort key: an alias may be longer than the 1024 bytes that a sort key holds. They hold keys only, so that a
 * push never has to write them.
 */
public final class TableCreation {
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private final TableLocation location;
    private final DynamoDbClient client;
    private final Clock clock;
    private final Requests requests;
    private final String problem;

    /** @param client open, and left open */
    public TableCreation(TableLocation location, DynamoDbClient client, NameserviceOptions options) {
        this.location = location;
        this.client = client;
        this.clock = options.clock();
        this.requests = new Requests(location, options.clock(), options.random());
        this.problem = "cannot create the table '" + location.table() + "'";
    }

    /** See {@link io.ontologia.nameservice.dynamodb.NameserviceTable#create}. */
    public Outcome run(Set<Index> indexes) {
        long start = clock.monotonicNanos();
        Outcome outcome = Outcome.UNCHANGED;
        while (clock.monotonicNanos() - start < LIMIT.toNanos()) {
            Optional<TableDescription> found = describe();
            if (found.isEmpty()) {
                outcome = attempt(() -> createTable(indexes)) ? Outcome.CREATED : outcome;
                continue;
            }
            TableDescription table = found.get();
            requireKey(table);
            Optional<Index> missing = indexes.stream()
                    .filter(index -> find(table, index).isEmpty())
                    .findFirst();
            if (isSettled(table)) {
                if (missing.isEmpty()) {
                    return outcome;
                }
                boolean added = attempt(() -> addIndex(missing.get()));
                outcome = added && outcome == Outcome.UNCHANGED ? Outcome.EXTENDED : outcome;
            }
            clock.sleep(PAUSE);
        }
        throw new OntologiaException(
                ErrorKind.BUSY, problem, "it is not active after " + LIMIT.toMinutes() + " minutes", "run this again");
    }

    private Optional<TableDescription> describe() {
        return requests.read(problem, () -> {
            try {
                return Optional.of(
                        client.describeTable(d -> d.tableName(location.table())).table());
            } catch (ResourceNotFoundException e) {
                return Optional.<TableDescription>empty();
            }
        });
    }

    /** Does it once; false when somebody else is at it, or when a look at the table must tell. */
    private boolean attempt(Runnable action) {
        try {
            action.run();
            return true;
        } catch (ResourceInUseException e) {
            clock.sleep(PAUSE);
            return false;
        } catch (SdkException e) {
            DynamoFault fault = DynamoFault.of(e);
            if (!fault.passing()) {
                throw fault.error(problem, location);
            }
            clock.sleep(PAUSE);
            return false;
        }
    }

    private void createTable(Set<Index> indexes) {
        List<AttributeDefinition> attributes = new ArrayList<>(List.of(text(location.key())));
        indexes.forEach(index -> attributes.add(text(attribute(index))));
        client.createTable(table -> {
            table.tableName(location.table())
                    .billingMode(BillingMode.PAY_PER_REQUEST)
                    .attributeDefinitions(attributes)
                    .keySchema(hash(location.key()));
            if (!indexes.isEmpty()) {
                table.globalSecondaryIndexes(indexes.stream()
                        .map(index -> GlobalSecondaryIndex.builder()
                                .indexName(name(index))
                                .keySchema(hash(attribute(index)))
                                .projection(keysOnly())
                                .build())
                        .toList());
            }
        });
    }

    private void addIndex(Index index) {
        GlobalSecondaryIndexUpdate creation = GlobalSecondaryIndexUpdate.builder()
                .create(create -> create.indexName(name(index))
                        .keySchema(hash(attribute(index)))
                        .projection(keysOnly()))
                .build();
        client.updateTable(update -> update.tableName(location.table())
                .attributeDefinitions(text(location.key()), text(attribute(index)))
                .globalSecondaryIndexUpdates(creation));
    }

    private void requireKey(TableDescription table) {
        if (!table.keySchema().equals(List.of(hash(location.key())))) {
            throw new OntologiaException(
                    ErrorKind.CONFLICT,
                    problem,
                    "a table of that name is there, whose key is not '" + location.key() + "' alone",
                    "choose another name");
        }
    }

    private static boolean isSettled(TableDescription table) {
        return table.tableStatus() == TableStatus.ACTIVE
                && table.globalSecondaryIndexes().stream().allMatch(i -> i.indexStatus() == IndexStatus.ACTIVE);
    }

    private static Optional<GlobalSecondaryIndexDescription> find(TableDescription table, Index index) {
        return table.globalSecondaryIndexes().stream()
                .filter(one -> one.indexName().equals(name(index)))
                .findFirst();
    }

    private static String name(Index index) {
        return switch (index) {
            case TYPE -> Listing.TYPE_INDEX;
            case STATE -> Listing.STATE_INDEX;
        };
    }

    private static String attribute(Index index) {
        return switch (index) {
            case TYPE -> "type";
            case STATE -> RecordItems.STATUS_STATE;
        };
    }

    private static Projection keysOnly() {
        return Projection.builder().projectionType(ProjectionType.KEYS_ONLY).build();
    }

    private static AttributeDefinition text(String attribute) {
        return AttributeDefinition.builder()
                .attributeName(attribute)
                .attributeType(ScalarAttributeType.S)
                .build();
    }

    private static KeySchemaElement hash(String attribute) {
        return KeySchemaElement.builder()
                .attributeName(attribute)
                .keyType(KeyType.HASH)
                .build();
    }
}
