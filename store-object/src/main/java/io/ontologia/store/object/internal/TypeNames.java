package io.ontologia.store.object.internal;

import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
import io.ontologia.kernel.Clock;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.RandomIds;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.StoredObject;
import io.ontologia.store.object.internal.layout.Keys;
import io.ontologia.store.object.internal.layout.Registry;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code meta/schema/types.json}: the names of all types, for other implementations. This one reads the registry, so the object
 * may be missing or wrong without a wrong answer here; writers keep it right for the others.
 */
final class TypeNames {
    private static final Logger LOG = LoggerFactory.getLogger(TypeNames.class);
    private static final int ATTEMPT_DIGITS = 16;

    private final ObjectStore store;
    private final Clock clock;
    private final RandomGenerator random;
    private boolean isRight;

    TypeNames(ObjectStore store, Clock clock, RandomGenerator random) {
        this.store = store;
        this.clock = clock;
        this.random = random;
    }

    /** Writes the names after the registry was changed, under the write lock. A failure is not one of the change: it is made. */
    void publish(Registry registry) {
        try {
            store.put(Keys.TYPES, Payload.of(document(registry)));
            settled(true);
        } catch (OntologiaException e) {
            settled(false);
            LOG.atWarn()
                    .addKeyValue("object", Keys.TYPES)
                    .addKeyValue("reason", e.getMessage())
                    .log("the names of the types were not written; the next process that writes does it");
        }
    }

    /** Repairs the object once in the life of this process, and again after a failure. */
    void keepRight(Supplier<Registry> registry) {
        if (!isSettled()) {
            repair(registry);
        }
    }

    /**
     * Writes the names where the object has others, or is missing. Another writer that changes it meanwhile is right.
     *
     * @param registry reads the newest one
     */
    void repair(Supplier<Registry> registry) {
        Optional<StoredObject> stored = store.get(Keys.TYPES);
        // Read after the object, so that the names are at least as new as those that they replace.
        Registry now = registry.get();
        if (problem(stored, now).isPresent()) {
            Payload payload = Payload.of(document(now));
            if (stored.isPresent()) {
                store.putIfMatch(Keys.TYPES, payload, stored.get().etag());
            } else {
                store.putIfAbsent(Keys.TYPES, payload);
            }
        }
        settled(true);
    }

    private byte[] document(Registry registry) {
        return registry.typesDocument(clock.now(), RandomIds.hex(random, ATTEMPT_DIGITS));
    }

    /** What is wrong with the object. */
    Optional<String> problem(Registry registry) {
        return problem(store.get(Keys.TYPES), registry);
    }

    private static Optional<String> problem(Optional<StoredObject> stored, Registry registry) {
        if (stored.isEmpty()) {
            return registry.types().isEmpty() ? Optional.empty() : Optional.of("it is missing");
        }
        try {
            JsonObject document = JsonObject.parse(Keys.TYPES, stored.get().bytes());
            boolean same = names(document, "entities").equals(names(registry, TypeKind.ENTITY))
                    && names(document, "relations").equals(names(registry, TypeKind.RELATION));
            return same ? Optional.empty() : Optional.of("it has other types than the registry");
        } catch (OntologiaException e) {
            return Optional.of(e.getMessage());
        }
    }

    private static Set<Object> names(JsonObject document, String field) {
        return document.fields().get(field) instanceof List<?> names ? Set.copyOf(names) : Set.of();
    }

    private static Set<Object> names(Registry registry, TypeKind kind) {
        return registry.types().keySet().stream()
                .filter(type -> type.kind() == kind)
                .map(TypeRef::name)
                .collect(Collectors.toSet());
    }

    private synchronized boolean isSettled() {
        return isRight;
    }

    private synchronized void settled(boolean right) {
        isRight = right;
    }
}
