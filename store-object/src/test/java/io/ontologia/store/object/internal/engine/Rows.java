package io.ontologia.store.object.internal.engine;

import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Identity;
import io.ontologia.core.RelationType;
import io.ontologia.core.TypeRef;
import io.ontologia.core.TypeSpec;
import io.ontologia.core.spi.AggregateQuery;
import io.ontologia.core.spi.DesiredRow;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.CanonicalJson;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A store of nothing but files: writes commits of one entity and one relation type, and asks the engine about them. */
final class Rows implements AutoCloseable {
    static final EntityType THING = new EntityType(
            "Thing",
            List.of(
                    FieldDef.of("id", TypeSpec.Primitive.STR),
                    FieldDef.of("name", TypeSpec.orNull(TypeSpec.Primitive.STR)),
                    FieldDef.of("count", TypeSpec.orNull(TypeSpec.Primitive.INT)),
                    FieldDef.of("price", TypeSpec.orNull(TypeSpec.Primitive.FLOAT)),
                    FieldDef.of("open", TypeSpec.orNull(TypeSpec.Primitive.BOOL)),
                    FieldDef.of("v", TypeSpec.Primitive.ANY)),
            "id");
    static final RelationType LINK = new RelationType(
            "Link", "Thing", "Thing", Optional.empty(), List.of(FieldDef.of("v", TypeSpec.Primitive.ANY)));

    private final Path folder;
    private final Engine engine;
    private final LatestTables latest;
    private final Map<TypeRef, List<DataFile>> files = new LinkedHashMap<>();
    private int written;

    Rows(Path folder) {
        this.folder = folder;
        this.engine = Engine.open(new EngineOptions("256MB", 2, folder.resolve("engine"), List.of(folder)));
        this.latest = engine.latest("test");
    }

    Engine engine() {
        return engine;
    }

    LatestTables latest() {
        return latest;
    }

    List<DataFile> files(TypeRef type) {
        return files.getOrDefault(type, List.of());
    }

    static DesiredRow thing(String key, @Nullable Object... namesAndValues) {
        return new DesiredRow(THING.ref(), new Identity.OfEntity(key), json(namesAndValues));
    }

    static DesiredRow link(String left, String right, @Nullable Object... namesAndValues) {
        return new DesiredRow(LINK.ref(), new Identity.OfRelation(left, right, ""), json(namesAndValues));
    }

    static String json(@Nullable Object... namesAndValues) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
        }
        return CanonicalJson.write(fields);
    }

    /** One commit of rows of one type. */
    DataFile commit(long commitId, DesiredRow... rows) {
        boolean things = rows[0].type().equals(THING.ref());
        return commit(commitId, 1, things ? THING : LINK, List.of(rows));
    }

    DataFile commit(long commitId, long schemaVersion, io.ontologia.core.OntologyType type, List<DesiredRow> rows) {
        Path target = folder.resolve(commitId + "-" + ++written + ".parquet");
        engine.write(target, schemaVersion, commitId, RowBatch.of(type, rows));
        DataFile file = new DataFile(target, commitId, commitId);
        files.computeIfAbsent(type.ref(), key -> new ArrayList<>()).add(file);
        return file;
    }

    Source source(TypeRef type) {
        return new Source.Files(files(type));
    }

    List<StoredRow> rows(RowQuery query) {
        try (Stream<StoredRow> rows = engine.rows(query, this::source, latest)) {
            return rows.toList();
        }
    }

    /** Identities and commits, for example {@code a@3}. */
    List<String> keys(RowQuery query) {
        return rows(query).stream()
                .map(row -> row.identity() + "@" + row.commitId())
                .toList();
    }

    long count(RowQuery query) {
        return engine.count(query, this::source, latest);
    }

    List<Map<String, @Nullable Object>> aggregate(AggregateQuery query) {
        return engine.aggregate(query, this::source, latest);
    }

    @Override
    public void close() {
        latest.close();
        engine.close();
    }
}
