package io.ontologia.nameservice.dynamodb.internal;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernPayload;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.RecordIdentity;
import io.ontologia.nameservice.spi.LegacyRecords;
import io.ontologia.nameservice.spi.RecordJson;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Records as items: the 16 attributes of the schema, {@code status_state} for its index, and for each concern the id of the attempt
 * that wrote it ({@code head_w} and so on; {@code created_w} for the creation), by which a writer knows its own work again.
 */
final class RecordItems {
    static final String RETRACTED = "retracted";
    static final String STATUS_STATE = "status_state";
    static final String CREATED_BY = "created_w";

    /** What version 1 kept besides {@code branch} and {@code status}, which version 2 has too. */
    static final List<String> LEGACY = List.of(
            "ledger_alias",
            "ledger_name",
            "commit_address",
            "commit_t",
            "index_address",
            "index_t",
            "default_context_address",
            "updated_at");

    private static final int MAX_INDEX_KEY_BYTES = 1024;

    private final TableLocation location;

    RecordItems(TableLocation location) {
        this.location = location;
    }

    /** The attribute that says who wrote a concern. */
    static String writerOf(Concern concern) {
        return concern.wireName() + "_w";
    }

    /** The attempt that wrote a concern, or created the record; empty when it was not written by this code. */
    static Optional<String> writer(String attribute, Map<String, AttributeValue> item) {
        return Optional.ofNullable(item.get(attribute)).map(AttributeValue::s);
    }

    /** The key of a record's item. */
    Map<String, AttributeValue> key(Alias alias) {
        return Map.of(location.key(), AttributeValue.fromS(alias.toString()));
    }

    /** The whole item of a record, without the ids of attempts. */
    Map<String, AttributeValue> item(NameRecord record) {
        Map<String, AttributeValue> item = new HashMap<>();
        RecordJson.write(record).forEach((name, value) -> item.put(name, AttributeValues.of(value)));
        item.putAll(key(record.alias()));
        state(record.status()).ifPresent(state -> item.put(STATUS_STATE, state));
        return item;
    }

    /** What {@code status_state} must be; empty for a state that no index could hold. */
    static Optional<AttributeValue> state(ConcernValue status) {
        return status.payload()
                .flatMap(payload -> payload.text("state"))
                .filter(state ->
                        !state.isEmpty() && state.getBytes(StandardCharsets.UTF_8).length <= MAX_INDEX_KEY_BYTES)
                .map(AttributeValue::fromS);
    }

    /** The payload of a concern as it is stored. */
    static AttributeValue payload(ConcernValue value) {
        return AttributeValues.of(value.payload()
                .map(ConcernPayload::fields)
                .<@Nullable Object>map(fields -> fields)
                .orElse(null));
    }

    /** Whether an item was written by version 1. */
    boolean isLegacy(Map<String, AttributeValue> item) {
        return LegacyRecords.isLegacy(tree(item));
    }

    /**
     * Reads an item of either version.
     *
     * @throws OntologiaException of kind {@link ErrorKind#CORRUPT}, naming the item, when it is no record
     */
    NameRecord record(Map<String, AttributeValue> item) {
        return read(
                item,
                tree -> (LegacyRecords.isLegacy(tree)
                                ? LegacyRecords.read(place(item), tree)
                                : RecordJson.read(place(item), tree))
                        .identified(writer(CREATED_BY, item).orElse("")));
    }

    /** Reads one concern of an item, of which other concerns may be missing. */
    ConcernValue concern(Concern concern, Map<String, AttributeValue> item) {
        return read(item, tree -> {
            if (LegacyRecords.isLegacy(tree)) {
                return record(item).concern(concern);
            }
            return RecordJson.concern(place(item), concern, tree)
                    .readFrom(RecordIdentity.of(
                            RecordJson.createdAt(place(item), tree),
                            writer(CREATED_BY, item).orElse("")));
        });
    }

    /** What an item is called in errors and listings. */
    String place(Map<String, AttributeValue> item) {
        AttributeValue key = item.get(location.key());
        return "the item '" + (key == null ? "?" : key.s()) + "' of " + location;
    }

    private <T> T read(Map<String, AttributeValue> item, Function<Map<String, @Nullable Object>, T> reader) {
        try {
            return reader.apply(tree(item));
        } catch (OntologiaException e) {
            throw e.kind() == ErrorKind.CORRUPT
                    ? e
                    : new OntologiaException(
                            ErrorKind.CORRUPT,
                            "cannot read " + place(item),
                            e.getMessage(),
                            "restore it from a backup, or remove it",
                            e);
        }
    }

    private Map<String, @Nullable Object> tree(Map<String, AttributeValue> item) {
        Map<String, @Nullable Object> tree = AttributeValues.tree(item);
        // The key is the alias, whatever it is called; version 1 items in a table of version 2 have it under the new
        // name.
        Object key = tree.get(location.key());
        tree.putIfAbsent("pk", key);
        if (!tree.containsKey("v")) {
            tree.putIfAbsent("ledger_alias", key);
        }
        RecordJson.requireVersion(place(item), tree);
        return tree;
    }
}
