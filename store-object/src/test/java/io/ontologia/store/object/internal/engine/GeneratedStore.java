package io.ontologia.store.object.internal.engine;

import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Filter;
import io.ontologia.core.Identity;
import io.ontologia.core.OntologyType;
import io.ontologia.core.RelationType;
import io.ontologia.core.TypeRef;
import io.ontologia.core.TypeSpec;
import io.ontologia.core.spi.DesiredRow;
import io.ontologia.core.spi.FilterEvaluator;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.JsonObject;
import io.ontologia.testkit.FilterCases;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Commits of generated things and links, as files and as what must be found in them. The fields have other types in every
 * commit, and some commits leave fields out.
 */
record GeneratedStore(
        Engine engine,
        Path folder,
        long commit,
        Map<TypeRef, List<DataFile>> data,
        TreeMap<Identity, Map<String, @Nullable Object>> things,
        TreeMap<Identity, Map<String, @Nullable Object>> links,
        EntityType lastThings,
        List<DesiredRow> lastRows) {
    static final TypeRef THINGS = TypeRef.entity("Thing");
    static final TypeRef LINKS = TypeRef.relation("Link");

    private static final List<String> NAMES = List.of("a", "b", "c", "list");
    private static final AtomicInteger FILES = new AtomicInteger();

    static GeneratedStore empty(Engine engine, Path folder) {
        Comparator<Identity> order = RowColumns.order();
        return new GeneratedStore(
                engine,
                folder,
                0,
                Map.of(),
                new TreeMap<>(order),
                new TreeMap<>(order),
                new EntityType("Thing", List.of(FieldDef.of("id", TypeSpec.Primitive.STR)), "id"),
                List.of());
    }

    /** The same with new documents for the first things and links. */
    GeneratedStore commit(RandomGenerator random, int newThings, int newLinks) {
        List<FieldDef> fields = fields(random);
        List<FieldDef> thingFields = new ArrayList<>(fields);
        thingFields.add(FieldDef.of("id", TypeSpec.Primitive.STR));
        Map<Identity, Map<String, @Nullable Object>> changedThings = new LinkedHashMap<>();
        for (int i = 0; i < newThings; i++) {
            changedThings.put(new Identity.OfEntity("k" + i), document(random, fields));
        }
        Map<Identity, Map<String, @Nullable Object>> changedLinks = new LinkedHashMap<>();
        for (int i = 0; i < newLinks; i++) {
            // Where there are five things, some links lead to what is not stored.
            changedLinks.put(new Identity.OfRelation("k" + i % 6, "k" + (i * 5 + 1) % 7, ""), document(random, fields));
        }
        EntityType thingType = new EntityType("Thing", thingFields, "id");
        GeneratedStore next = new GeneratedStore(
                engine,
                folder,
                commit + 1,
                new LinkedHashMap<>(data),
                new TreeMap<>(things),
                new TreeMap<>(links),
                thingType,
                desired(THINGS, changedThings));
        next.things.putAll(changedThings);
        next.links.putAll(changedLinks);
        next.write(thingType, changedThings);
        next.write(new RelationType("Link", "Thing", "Thing", Optional.empty(), fields), changedLinks);
        return next;
    }

    private void write(OntologyType type, Map<Identity, Map<String, @Nullable Object>> rows) {
        if (rows.isEmpty()) {
            return;
        }
        Path target = folder.resolve("f" + FILES.incrementAndGet() + ".parquet");
        engine.write(target, 1, commit, RowBatch.of(type, desired(type.ref(), rows)));
        List<DataFile> all = new ArrayList<>(data.getOrDefault(type.ref(), List.of()));
        all.add(new DataFile(target, commit, commit));
        data.put(type.ref(), all);
    }

    private static List<DesiredRow> desired(TypeRef type, Map<Identity, Map<String, @Nullable Object>> rows) {
        return rows.entrySet().stream()
                .map(row -> new DesiredRow(type, row.getKey(), CanonicalJson.write(row.getValue())))
                .toList();
    }

    private static List<FieldDef> fields(RandomGenerator random) {
        List<FieldDef> fields = new ArrayList<>();
        for (String name : NAMES) {
            TypeSpec type = switch (random.nextInt(name.equals("list") ? 3 : 9)) {
                case 0, 1, 2 -> TypeSpec.Primitive.ANY;
                case 3, 4 -> TypeSpec.Primitive.STR;
                case 5 -> TypeSpec.Primitive.INT;
                case 6 -> TypeSpec.Primitive.FLOAT;
                case 7 -> TypeSpec.Primitive.BOOL;
                default -> TypeSpec.Primitive.NONE;
            };
            if (type != TypeSpec.Primitive.NONE) {
                fields.add(FieldDef.of(name, TypeSpec.orNull(type)));
            }
        }
        return fields;
    }

    private static Map<String, @Nullable Object> document(RandomGenerator random, List<FieldDef> fields) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        for (FieldDef field : fields) {
            Map<String, @Nullable Object> drawn = FilterCases.document(random);
            for (int i = 0; i < 10 && !fits(field.type(), drawn.get(field.name())); i++) {
                drawn = FilterCases.document(random);
            }
            if (drawn.containsKey(field.name()) && fits(field.type(), drawn.get(field.name()))) {
                document.put(field.name(), drawn.get(field.name()));
            }
        }
        return JsonObject.parse("a document", CanonicalJson.write(document)).fields();
    }

    private static boolean fits(TypeSpec type, @Nullable Object value) {
        if (value == null) {
            return true;
        }
        return switch (FieldKind.of(type)) {
            case STR -> value instanceof String;
            case INT -> value instanceof Long || value instanceof BigInteger;
            case FLOAT -> value instanceof Double;
            case BOOL -> value instanceof Boolean;
            case JSON, NONE -> true;
        };
    }

    Source files(TypeRef type) {
        return new Source.Files(data.getOrDefault(type, List.of()));
    }

    /** Makes tables of latest versions anew. */
    void rebuild(LatestTables tables) {
        for (TypeRef type : List.of(THINGS, LINKS)) {
            tables.rebuild(type, data.getOrDefault(type, List.of()), commit, "");
        }
    }

    /** Moves tables of latest versions here: things by the rows of the last commit, links by files. */
    void advance(LatestTables tables) {
        tables.advance(
                List.of(new LatestTables.Written(
                        RowBatch.of(lastThings, lastRows), LatestTables.Before.SOME, commit, 1)),
                "",
                "");
        tables.advance(LINKS, data.getOrDefault(LINKS, List.of()), commit, "", "");
    }

    /** Which rows pass a filter, by identity. */
    List<String> passing(TypeRef type, Filter filter) {
        return (type.equals(THINGS) ? things : links)
                .entrySet().stream()
                        .filter(one -> FilterEvaluator.evaluate(filter, scope -> switch (scope) {
                                    case SELF -> one.getValue();
                                    case LEFT -> things.get(end(one.getKey(), 0));
                                    case RIGHT -> things.get(end(one.getKey(), 1));
                                    case IDENTITY -> parts(one.getKey());
                                })
                                .orElse(false))
                        .map(one -> one.getKey().toString())
                        .toList();
    }

    private static Map<String, String> parts(Identity identity) {
        List<String> values = RowColumns.values(identity);
        return identity instanceof Identity.OfEntity
                ? Map.of("key", values.get(0))
                : Map.of("left_key", values.get(0), "right_key", values.get(1), "instance_key", values.get(2));
    }

    private static Identity end(Identity link, int part) {
        return new Identity.OfEntity(RowColumns.values(link).get(part));
    }

    @Override
    public String toString() {
        return "things " + things + ", links " + links;
    }
}
