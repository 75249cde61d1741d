package io.ontologia.testkit;

import io.ontologia.core.Author;
import io.ontologia.core.CommitInfo;
import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.OntologyType;
import io.ontologia.core.RelationType;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.Upgraders;
import io.ontologia.core.spi.StorageOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;

/**
 * What the contract suites for storage backends share: a new store for every test, a clock that stands still, and a few
 * types. A backend extends each suite with a class that says where a new store goes.
 */
public abstract class StorageSuite {
    /** The clock of everything that the suite opens. */
    protected final SettableClock clock = new SettableClock();

    private String uri = "";

    /** The URI of a store that does not exist yet, another one with every call. Several may have it open at once. */
    protected abstract String newStore();

    /** What the backend needs beside the URI. */
    protected Map<String, String> settings() {
        return Map.of();
    }

    @BeforeEach
    final void chooseStore() {
        uri = newStore();
    }

    /** The URI of this test's store. */
    protected final String uri() {
        return uri;
    }

    /** Options with the suite's clock. */
    protected final SessionOptions options(String runtimeId) {
        return SessionOptions.defaults()
                .author(Author.none())
                .storage(StorageOptions.defaults().clock(clock).settings(settings()))
                .runtimeId(runtimeId);
    }

    /** Options with the machine's own clock and much patience, for tests in which threads wait for each other. */
    protected final SessionOptions patient(String runtimeId) {
        return SessionOptions.defaults()
                .author(Author.none())
                .storage(StorageOptions.defaults()
                        .durability(StorageOptions.Durability.PROCESS_CRASH)
                        .lockTimeout(Duration.ofMinutes(2))
                        .settings(settings()))
                .runtimeId(runtimeId);
    }

    /** Opens the store with the given types. */
    protected final Session open(OntologyType... types) {
        return Ontologia.open(uri, options("session"), Model.of(types));
    }

    /** Opens the store with the given types and upgraders. */
    protected final Session open(Upgraders upgraders, OntologyType... types) {
        return Ontologia.open(uri, options("session").upgraders(upgraders), Model.of(types));
    }

    /** Opens the store for maintenance. */
    protected final Maintenance maintain() {
        return Ontologia.maintain(uri, options("operator"));
    }

    /** Stores rows, in one commit. */
    protected final void commit(List<OntologyType> types, Row... rows) {
        try (Session session = open(types.toArray(OntologyType[]::new))) {
            session.ensureAll(List.of(rows));
            session.commit();
        }
    }

    /** The newest commit. */
    protected final CommitInfo newest() {
        try (Session session = Ontologia.openStored(uri, options("reader"))) {
            return session.log().last(1).get(0);
        }
    }

    /** The fields of all entities of a type, by key, as they are now; read with the stored schema. */
    protected final Map<String, Map<String, @Nullable Object>> entities(String type) {
        try (Session session = Ontologia.openStored(uri, options("reader"))) {
            Map<String, Map<String, @Nullable Object>> found = new LinkedHashMap<>();
            session.entities(type)
                    .results()
                    .forEach(row ->
                            found.put(row.identity().toString(), row.value().fields()));
            return found;
        }
    }

    /** An entity type with the key field {@code id} and more fields. */
    protected static EntityType entityType(String name, FieldDef... more) {
        List<FieldDef> fields = new ArrayList<>(List.of(FieldDef.of("id", Primitive.STR)));
        fields.addAll(List.of(more));
        return new EntityType(name, fields, "id");
    }

    /** A relation type without instance key. */
    protected static RelationType relationType(String name, String left, String right, FieldDef... fields) {
        return new RelationType(name, left, right, Optional.empty(), List.of(fields));
    }

    /** A text field. */
    protected static FieldDef text(String name) {
        return FieldDef.of(name, Primitive.STR);
    }

    /** An integer field. */
    protected static FieldDef integer(String name) {
        return FieldDef.of(name, Primitive.INT);
    }

    /** An entity of a type of {@link #entityType}. */
    protected static Row entity(String type, String key, Map<String, @Nullable Object> fields) {
        return new Row.OfEntity(type, key, fields);
    }

    /** A relation without instance key. */
    protected static Row relation(String type, String left, String right, Map<String, @Nullable Object> fields) {
        return new Row.OfRelation(type, left, right, "", fields);
    }
}
