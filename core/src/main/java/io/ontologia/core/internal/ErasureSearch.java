package io.ontologia.core.internal;

import io.ontologia.core.DeadLetter;
import io.ontologia.core.ErasurePlan;
import io.ontologia.core.Event;
import io.ontologia.core.Identity;
import io.ontologia.core.RelationType;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
import io.ontologia.core.Window;
import io.ontologia.core.spi.BusRecord;
import io.ontologia.core.spi.Eraser;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.RowQuery.Restriction;
import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.StoreHistory;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.Json;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds what a store has of some rows: their versions, the relations that name them, and events about them. */
public final class ErasureSearch {
    private static final Comparator<Eraser.EventRef> BY_NAME =
            Comparator.comparing(Eraser.EventRef::namespace).thenComparing(Eraser.EventRef::eventId);

    private final Storage storage;
    private final TypeRef type;
    private final Set<Identity> identities;

    public ErasureSearch(Storage storage, TypeRef type, Set<Identity> identities) {
        this.storage = storage;
        this.type = type;
        this.identities = identities;
    }

    /** The versions of rows, and the commits that wrote them. */
    public record Versions(List<ErasurePlan.Target> targets, SortedSet<Long> commits) {}

    /** The texts that an identity consists of. */
    public static List<String> parts(Identity identity) {
        if (identity instanceof Identity.OfRelation relation) {
            return List.of(relation.leftKey(), relation.rightKey(), relation.instanceKey());
        }
        return List.of(((Identity.OfEntity) identity).key());
    }

    /** The relations of each type that ever had one of the entities at an end; none when the rows are relations. */
    public Map<TypeRef, Set<Identity>> relations() {
        List<SchemaVersion> schemas = storage.schemas();
        if (schemas.stream().noneMatch(schema -> schema.type().equals(type))) {
            throw new OntologiaException(
                    ErrorKind.NOT_FOUND,
                    "cannot erase rows of " + type,
                    "the store does not know the type",
                    "'onto info --schema' lists the types");
        }
        Map<TypeRef, Set<Identity>> found = new LinkedHashMap<>();
        if (type.kind() == TypeKind.RELATION) {
            return found;
        }
        List<String> keys =
                identities.stream().map(identity -> parts(identity).get(0)).toList();
        for (SchemaVersion schema : schemas) {
            if (schema.type().kind() == TypeKind.RELATION && schema.describe() instanceof RelationType relation) {
                Set<Identity> ofType = new LinkedHashSet<>();
                if (relation.left().equals(type.name())) {
                    rows(relation.ref(), Restriction.Part.LEFT, keys).forEach(row -> ofType.add(row.identity()));
                }
                if (relation.right().equals(type.name())) {
                    rows(relation.ref(), Restriction.Part.RIGHT, keys).forEach(row -> ofType.add(row.identity()));
                }
                if (!ofType.isEmpty()) {
                    found.put(relation.ref(), ofType);
                }
            }
        }
        return found;
    }

    private List<StoredRow> rows(TypeRef ofType, Restriction.Part part, Collection<String> keys) {
        RowQuery query = RowQuery.of(ofType, new Window.History(0))
                .restrictedTo(new Restriction(part, List.copyOf(new LinkedHashSet<>(keys))));
        try (Stream<StoredRow> rows = storage.rows(query)) {
            return rows.map(row -> new StoredRow(row.identity(), "", row.commitId(), row.schemaVersion()))
                    .toList();
        }
    }

    /** How many versions there are of each row. */
    public Versions versions(Map<TypeRef, Set<Identity>> all) {
        List<ErasurePlan.Target> targets = new ArrayList<>();
        SortedSet<Long> commits = new TreeSet<>();
        all.forEach((ofType, wanted) -> {
            Map<Identity, Long> counts = new LinkedHashMap<>();
            wanted.forEach(identity -> counts.put(identity, 0L));
            List<String> keys =
                    wanted.stream().map(identity -> parts(identity).get(0)).toList();
            Restriction.Part part = ofType.kind() == TypeKind.ENTITY ? Restriction.Part.KEY : Restriction.Part.LEFT;
            for (StoredRow row : rows(ofType, part, keys)) {
                if (counts.computeIfPresent(row.identity(), (identity, count) -> count + 1) != null) {
                    commits.add(row.commitId());
                }
            }
            counts.forEach((identity, count) -> targets.add(new ErasurePlan.Target(ofType, identity, count)));
        });
        return new Versions(targets, commits);
    }

    /**
     * The events that name one of the rows: a text in the payload is the key of an entity, or texts in it are the left key, the right
     * key and the instance key of a relation. Events about the failure of such an event are among them.
     */
    public List<Eraser.EventRef> events(Map<TypeRef, Set<Identity>> all) {
        Set<List<String>> wanted = new HashSet<>();
        all.values()
                .forEach(ofType -> ofType.forEach(identity -> wanted.add(
                        parts(identity).stream().filter(part -> !part.isEmpty()).toList())));
        Set<Eraser.EventRef> found = new TreeSet<>(BY_NAME);
        Map<Eraser.EventRef, Set<String>> failures = new LinkedHashMap<>();
        try (StoreHistory history = storage.history()) {
            history.bus(entry -> {
                if (entry instanceof BusRecord.OfEvent of) {
                    Event event = of.event();
                    Eraser.EventRef ref = new Eraser.EventRef(event.namespace(), event.id());
                    Set<String> texts = texts(event.payloadJson());
                    if (names(texts, wanted)) {
                        found.add(ref);
                    } else if (event.type().equals(Event.DEAD_LETTER)) {
                        failures.put(ref, texts);
                    }
                } else if (entry instanceof BusRecord.OfDeadLetter of) {
                    DeadLetter letter = of.letter();
                    if (names(texts(letter.payloadJson()), wanted)) {
                        found.add(new Eraser.EventRef(letter.namespace(), letter.eventId()));
                    }
                }
            });
        }
        storage.eraser().pastEvents(event -> {
            if (names(texts(event.payloadJson()), wanted)) {
                found.add(new Eraser.EventRef(event.namespace(), event.id()));
            }
        });
        failures.forEach((ref, texts) -> {
            if (found.stream().anyMatch(event -> texts.contains(event.eventId()))) {
                found.add(ref);
            }
        });
        return List.copyOf(found);
    }

    private static boolean names(Set<String> texts, Set<List<String>> wanted) {
        return wanted.stream().anyMatch(texts::containsAll);
    }

    /** Every text in a payload, also the names of its fields; a payload that is no JSON is one text. */
    private static Set<String> texts(String payload) {
        Set<String> texts = new HashSet<>();
        try {
            collect(Json.parse(payload), texts);
        } catch (OntologiaException e) {
            texts.add(payload);
        }
        return texts;
    }

    private static void collect(@Nullable Object value, Set<String> texts) {
        if (value instanceof String text) {
            texts.add(text);
        } else if (value instanceof Map<?, ?> fields) {
            fields.forEach((name, field) -> {
                texts.add(String.valueOf(name));
                collect(field, texts);
            });
        } else if (value instanceof List<?> items) {
            items.forEach(item -> collect(item, texts));
        }
    }
}
