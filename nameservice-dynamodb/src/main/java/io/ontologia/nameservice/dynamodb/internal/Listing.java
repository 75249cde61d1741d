package io.ontologia.nameservice.dynamodb.internal;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.EntityType;
import io.ontologia.nameservice.LegacyStore;
import io.ontologia.nameservice.NamePage;
import io.ontologia.nameservice.NameQuery;
import io.ontologia.nameservice.NameRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/**
 * Lists records page by page: by a consistent scan of the table, or by an index that knows the keys, followed by consistent reads
 * of the records. A page costs one request of the first kind. The token is the key where it stopped.
 */
final class Listing {
    static final String TYPE_INDEX = "type-index";
    static final String STATE_INDEX = "state-index";

    private static final String TOKEN = "d1.";
    private static final int MAX_BATCH = 100;
    private static final String PROBLEM = "cannot list the records";

    private final TableLocation location;
    private final DynamoDbClient client;
    private final Requests requests;
    private final RecordItems items;

    Listing(TableLocation location, DynamoDbClient client, Requests requests, RecordItems items) {
        this.location = location;
        this.client = client;
        this.requests = requests;
        this.items = items;
    }

    NamePage page(NameQuery query) {
        Optional<Alias> after = query.continueAt().map(Listing::parse);
        // The state is never looked up in its index: another writer that changes a status leaves the indexed attribute
        // as it was.
        if (location.listing() == TableLocation.Listings.INDEXED && query.type().isPresent()) {
            AttributeValue type =
                    AttributeValue.fromS(query.type().map(EntityType::value).orElseThrow());
            return indexed(query, TYPE_INDEX, "type", type, after);
        }
        return scanned(query, after);
    }

    /** The records of version 1 on one page of the table. */
    LegacyStore.Page legacy(Optional<String> token) {
        ScanResponse response = scan(NameQuery.MAX_PAGE_SIZE, token.map(Listing::parse));
        List<NameRecord> legacy = new ArrayList<>();
        List<NamePage.Unreadable> unreadable = new ArrayList<>();
        for (Map<String, AttributeValue> item : response.items()) {
            try {
                NameRecord record = items.record(item);
                if (items.isLegacy(item)) {
                    legacy.add(record);
                }
            } catch (OntologiaException e) {
                unreadable.add(new NamePage.Unreadable(items.place(item), e));
            }
        }
        return new LegacyStore.Page(
                response.items().size(),
                legacy,
                unreadable,
                next(response.hasLastEvaluatedKey() ? response.lastEvaluatedKey() : Map.of()));
    }

    private ScanResponse scan(int limit, Optional<Alias> after) {
        return requests.read(
                PROBLEM,
                () -> client.scan(scan -> scan.tableName(location.table())
                        .consistentRead(true)
                        .limit(limit)
                        .exclusiveStartKey(after.map(items::key).orElse(null))));
    }

    private NamePage scanned(NameQuery query, Optional<Alias> after) {
        ScanResponse response = scan(query.pageSize(), after);
        return page(query, response.items(), response.hasLastEvaluatedKey() ? response.lastEvaluatedKey() : Map.of());
    }

    private NamePage indexed(
            NameQuery query, String index, String attribute, AttributeValue value, Optional<Alias> after) {
        @Nullable Map<String, AttributeValue> start = after.map(alias -> {
                    Map<String, AttributeValue> key = new HashMap<>(items.key(alias));
                    key.put(attribute, value);
                    return key;
                })
                .orElse(null);
        QueryResponse response = requests.read(
                PROBLEM,
                () -> client.query(q -> q.tableName(location.table())
                        .indexName(index)
                        .limit(query.pageSize())
                        .keyConditionExpression("#a = :a")
                        .expressionAttributeNames(Map.of("#a", attribute))
                        .expressionAttributeValues(Map.of(":a", value))
                        .exclusiveStartKey(start)));
        List<Map<String, AttributeValue>> keys = response.items().stream()
                .map(item -> Map.of(location.key(), item.getOrDefault(location.key(), AttributeValues.NULL)))
                .toList();
        return page(query, current(keys), response.hasLastEvaluatedKey() ? response.lastEvaluatedKey() : Map.of());
    }

    private List<Map<String, AttributeValue>> current(List<Map<String, AttributeValue>> keys) {
        List<Map<String, AttributeValue>> found = new ArrayList<>();
        for (int from = 0; from < keys.size(); from += MAX_BATCH) {
            List<Map<String, AttributeValue>> rest = keys.subList(from, Math.min(from + MAX_BATCH, keys.size()));
            while (!rest.isEmpty()) {
                Map<String, KeysAndAttributes> wanted = Map.of(
                        location.table(),
                        KeysAndAttributes.builder()
                                .keys(rest)
                                .consistentRead(true)
                                .build());
                BatchGetItemResponse response =
                        requests.read(PROBLEM, () -> client.batchGetItem(batch -> batch.requestItems(wanted)));
                found.addAll(response.responses().getOrDefault(location.table(), List.of()));
                KeysAndAttributes left = response.unprocessedKeys().get(location.table());
                rest = left == null ? List.of() : left.keys();
            }
        }
        return found;
    }

    private NamePage page(
            NameQuery query, List<Map<String, AttributeValue>> found, Map<String, AttributeValue> stoppedAt) {
        List<NameRecord> records = new ArrayList<>();
        List<NamePage.Unreadable> unreadable = new ArrayList<>();
        for (Map<String, AttributeValue> item : found) {
            try {
                NameRecord record = items.record(item);
                if (query.matches(record)) {
                    records.add(query.show(record));
                }
            } catch (OntologiaException e) {
                unreadable.add(new NamePage.Unreadable(items.place(item), e));
            }
        }
        return new NamePage(records, unreadable, next(stoppedAt));
    }

    private Optional<String> next(Map<String, AttributeValue> stoppedAt) {
        return Optional.ofNullable(stoppedAt.get(location.key())).map(key -> token(key.s()));
    }

    private static String token(String key) {
        return TOKEN + Base64.getUrlEncoder().withoutPadding().encodeToString(key.getBytes(StandardCharsets.UTF_8));
    }

    private static Alias parse(String token) {
        try {
            if (token.startsWith(TOKEN)) {
                byte[] key = Base64.getUrlDecoder().decode(token.substring(TOKEN.length()));
                return Alias.parse(new String(key, StandardCharsets.UTF_8));
            }
        } catch (IllegalArgumentException | OntologiaException e) {
            // Reported below.
        }
        throw new OntologiaException(
                ErrorKind.INVALID_INPUT,
                "cannot continue the listing",
                "this is no token of a page of this nameservice",
                "use the token of the page before, as it is");
    }
}
