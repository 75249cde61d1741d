package io.ontologia.nameservice.dynamodb.internal;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.RandomIds;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.CreateOutcome;
import io.ontologia.nameservice.LegacyStore;
import io.ontologia.nameservice.Lifecycle;
import io.ontologia.nameservice.LifecycleOutcome;
import io.ontologia.nameservice.NameNotFoundException;
import io.ontologia.nameservice.NamePage;
import io.ontologia.nameservice.NameQuery;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.NameserviceOptions;
import io.ontologia.nameservice.NewRecord;
import io.ontologia.nameservice.PurgeOutcome;
import io.ontologia.nameservice.PushOutcome;
import io.ontologia.nameservice.Watermarks;
import io.ontologia.nameservice.dynamodb.internal.Requests.Doubt;
import io.ontologia.nameservice.dynamodb.internal.Requests.Written;
import io.ontologia.nameservice.spi.RecordJson;
import io.ontologia.nameservice.spi.RecordRules;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;

/**
 * Records in a DynamoDB table, one item each. A lookup is one consistent read, a push one conditional update of the attributes of its
 * concern; DynamoDB carries out the writes of one item one after the other.
 */
public final class DynamoNameservice implements Nameservice {
    private final TableLocation location;
    private final DynamoDbClient client;
    private final Clock clock;
    private final RandomGenerator random;
    private final Requests requests;
    private final RecordItems items;
    private final Pushes pushes;
    private final Lifecycles lifecycles;
    private final Listing listing;
    private volatile boolean closed;

    /** @param client closed with this; must not repeat writes by itself */
    public DynamoNameservice(TableLocation location, DynamoDbClient client, NameserviceOptions options) {
        this.location = location;
        this.client = client;
        this.clock = options.clock();
        this.random = options.random();
        this.requests = new Requests(location, clock, random);
        this.items = new RecordItems(location);
        this.pushes = new Pushes(location, client, requests, items, random);
        this.lifecycles = new Lifecycles(location, client, requests, items, clock, random);
        this.listing = new Listing(location, client, requests, items);
    }

    @Override
    public String location() {
        return location.toString();
    }

    @Override
    public CreateOutcome create(NewRecord record) {
        requireOpen();
        NameRecord created = RecordRules.unborn(record, clock.now());
        String attempt = RandomIds.hex(random, 24);
        Map<String, AttributeValue> item = new HashMap<>(items.item(created));
        item.put(RecordItems.CREATED_BY, AttributeValue.fromS(attempt));
        PutItemRequest request = PutItemRequest.builder()
                .tableName(location.table())
                .item(item)
                .conditionExpression("attribute_not_exists(#k)")
                .expressionAttributeNames(Map.of("#k", location.key()))
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .build();
        Written written = requests.write(
                "cannot create '" + record.alias() + "'",
                () -> client.putItem(request).attributes());
        if (written instanceof Written.Lost lost) {
            return new CreateOutcome.Unknown(lost.reason());
        }
        if (written instanceof Written.Refused refused
                && RecordItems.writer(RecordItems.CREATED_BY, refused.item())
                        .filter(attempt::equals)
                        .isEmpty()) {
            return new CreateOutcome.Exists(items.record(refused.item()));
        }
        return new CreateOutcome.Created(created.identified(attempt));
    }

    @Override
    public Optional<NameRecord> lookup(Alias alias) {
        return found(get(alias, Set.of())).map(items::record);
    }

    @Override
    public Optional<ConcernValue> concern(Alias alias, Concern concern) {
        return found(get(alias, Set.of(concern.watermarkName(), concern.wireName())))
                .map(item -> items.concern(concern, item));
    }

    @Override
    public Optional<Watermarks> watermarks(Alias alias) {
        // Payloads are not asked for, so the watermarks are read as they are.
        return found(get(alias, Set.of("head_v", "index_v", "status_v", "config_v")))
                .map(item -> {
                    if (items.isLegacy(item)) {
                        return items.record(item).watermarks();
                    }
                    return new Watermarks(
                            watermark(Concern.HEAD, item),
                            watermark(Concern.INDEX, item),
                            watermark(Concern.STATUS, item),
                            watermark(Concern.CONFIG, item));
                });
    }

    @Override
    public PushOutcome push(Alias alias, Concern concern, ConcernValue expected, ConcernValue next) {
        requireOpen();
        RecordRules.requirePushable(concern, expected, next);
        return pushes.push(alias, concern, expected, next);
    }

    @Override
    public LifecycleOutcome setDeps(Alias alias, List<String> deps) {
        List<String> wanted = RecordRules.requireDeps(alias, deps);
        return lifecycles.setDeps(alias, get(alias, Set.of()), wanted);
    }

    @Override
    public LifecycleOutcome retract(Alias alias, String reason) {
        Instant now = clock.now();
        return lifecycles.change(
                alias, Lifecycle.RETRACTED, get(alias, Set.of()), record -> RecordRules.retracted(record, now, reason));
    }

    @Override
    public LifecycleOutcome restore(Alias alias) {
        return lifecycles.change(alias, Lifecycle.ACTIVE, get(alias, Set.of()), RecordRules::restored);
    }

    @Override
    public PurgeOutcome purge(Alias alias) {
        requireOpen();
        String problem = "cannot purge '" + alias + "'";
        Written written =
                requests.write(problem, () -> client.deleteItem(deletion(alias)).attributes());
        if (written instanceof Written.Done) {
            return new PurgeOutcome.Purged();
        }
        if (written instanceof Written.Lost lost) {
            return new PurgeOutcome.Unknown(lost.reason());
        }
        Written.Refused refused = (Written.Refused) written;
        boolean doubt = refused.doubt() == Doubt.MAY_HAVE_LANDED;
        if (refused.item().isEmpty()) {
            if (doubt) {
                return new PurgeOutcome.Purged();
            }
            throw new NameNotFoundException(alias);
        }
        return doubt
                ? new PurgeOutcome.Unknown(new OntologiaException(
                        ErrorKind.UNKNOWN_OUTCOME,
                        problem,
                        "its reply was lost, and there is an active record of that name now",
                        "look at it before trying again"))
                : new PurgeOutcome.StillActive(items.record(refused.item()));
    }

    private DeleteItemRequest deletion(Alias alias) {
        // A record of version 1 has its retraction in its status.
        return DeleteItemRequest.builder()
                .tableName(location.table())
                .key(items.key(alias))
                .conditionExpression(
                        "attribute_exists(#k) AND ((#v = :known AND #r = :true) OR (attribute_not_exists(#v) AND #s = :gone))")
                .expressionAttributeNames(Map.of(
                        "#k", location.key(), "#r", RecordItems.RETRACTED, "#v", "v", "#s", Concern.STATUS.wireName()))
                .expressionAttributeValues(Map.of(
                        ":true",
                        AttributeValue.fromBool(true),
                        ":known",
                        AttributeValue.fromN(Long.toString(RecordJson.VERSION)),
                        ":gone",
                        AttributeValue.fromS(RecordItems.RETRACTED)))
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
                .build();
    }

    @Override
    public NamePage list(NameQuery query) {
        requireOpen();
        return listing.page(query);
    }

    @Override
    public Optional<LegacyStore> legacy() {
        requireOpen();
        return Optional.of(new DynamoLegacyStore(
                location, client, requests, items, listing, random, alias -> get(alias, Set.of())));
    }

    @Override
    public void close() {
        closed = true;
        client.close();
    }

    /**
     * Reads an item; empty when there is none.
     *
     * @param attributes those that are wanted, besides what tells the version; none for all
     */
    private Map<String, AttributeValue> get(Alias alias, Set<String> attributes) {
        requireOpen();
        return requests.read(
                "cannot look up '" + alias + "'",
                () -> client.getItem(get -> {
                            get.tableName(location.table())
                                    .key(items.key(alias))
                                    .consistentRead(true);
                            if (!attributes.isEmpty()) {
                                Map<String, String> names = projection(attributes);
                                get.projectionExpression(String.join(", ", names.keySet()))
                                        .expressionAttributeNames(names);
                            }
                        })
                        .item());
    }

    private Map<String, String> projection(Set<String> attributes) {
        Set<String> wanted = new LinkedHashSet<>(attributes);
        wanted.add(location.key());
        wanted.add("v");
        wanted.add("created_at");
        wanted.add(RecordItems.CREATED_BY);
        wanted.add(Concern.STATUS.wireName());
        wanted.addAll(RecordItems.LEGACY);
        Map<String, String> names = new HashMap<>();
        wanted.forEach(name -> names.put("#p" + names.size(), name));
        return names;
    }

    private long watermark(Concern concern, Map<String, AttributeValue> item) {
        AttributeValue value = item.get(concern.watermarkName());
        if (value == null) {
            return 0;
        }
        try {
            return Long.parseLong(String.valueOf(value.n()));
        } catch (NumberFormatException e) {
            throw new OntologiaException(
                    ErrorKind.CORRUPT,
                    "cannot read " + items.place(item),
                    "field '" + concern.watermarkName() + "' is not an integer",
                    "restore it from a backup, or remove it",
                    e);
        }
    }

    private static Optional<Map<String, AttributeValue>> found(Map<String, AttributeValue> item) {
        return item.isEmpty() ? Optional.empty() : Optional.of(item);
    }

    private void requireOpen() {
        if (closed) {
            throw new OntologiaException(
                    ErrorKind.CLOSED, "cannot use the nameservice " + location, "it was closed", "open it again");
        }
    }
}
