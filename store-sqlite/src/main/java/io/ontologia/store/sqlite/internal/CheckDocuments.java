package io.ontologia.store.sqlite.internal;

import io.ontologia.core.EntityType;
import io.ontologia.core.Finding;
import io.ontologia.core.Finding.Severity;
import io.ontologia.core.OntologyType;
import io.ontologia.core.RelationType;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.Json;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Sha256;
import io.ontologia.kernel.UtcTimestamp;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The parts of a check that must read what a query cannot: timestamps, schema documents, and keys that those name. */
final class CheckDocuments {
    private static final String SCHEMAS = """
            SELECT type_kind, type_name, schema_version_id, schema_json, schema_hash,
                (SELECT r.schema_json FROM schema_registry r
                 WHERE r.type_kind = v.type_kind AND r.type_name = v.type_name
                   AND v.schema_version_id = (SELECT max(w.schema_version_id) FROM schema_versions w
                        WHERE w.type_kind = v.type_kind AND w.type_name = v.type_name))
            FROM schema_versions v ORDER BY id""";

    private static final String WRONG_KEYS = CheckRule.fill(RowTable.ENTITIES, """
            SELECT count(*), min({what}) FROM {history} h
            WHERE {type} = ?1 AND coalesce(schema_version_id, 1) = ?2
              AND CASE WHEN json_valid(fields_json) AND json_type(fields_json, ?3) IS NOT NULL
                  THEN json_extract(fields_json, ?3) IS NOT entity_key END""");

    private static final String MISSING_KEYS = CheckRule.fill(RowTable.ENTITIES, """
            SELECT count(*), min({what}) FROM {history} h
            WHERE {type} = ?1 AND coalesce(schema_version_id, 1) = ?2
              AND fields_json <> 'null'
              AND CASE WHEN json_valid(fields_json) THEN json_type(fields_json, ?3) IS NULL END""");

    private static final String WRONG_INSTANCE_KEYS = CheckRule.fill(RowTable.RELATIONS, """
            SELECT count(*), min({what}) FROM {history} h
            WHERE {type} = ? AND coalesce(schema_version_id, 1) = ? AND (trim(instance_key) = '') = ?""");

    private final SqlConnection connection;
    private final List<Finding> findings;

    CheckDocuments(SqlConnection connection, List<Finding> findings) {
        this.connection = connection;
        this.findings = findings;
    }

    void commits() throws SQLException {
        Places unreadable = new Places();
        Places backwards = new Places();
        Places metadata = new Places();
        Instant newest = Instant.MIN;
        try (ResultSet rows = connection
                .prepare("SELECT id, created_at, metadata_json FROM commits ORDER BY id")
                .executeQuery()) {
            while (rows.next()) {
                String commit = "commit " + rows.getLong(1);
                Optional<Instant> at = moment(rows.getString(2));
                if (at.isEmpty()) {
                    unreadable.add(commit + " at '" + rows.getString(2) + "'");
                } else if (at.get().isBefore(newest)) {
                    backwards.add(commit);
                } else {
                    newest = at.get();
                }
                if (rows.getString(3) != null && !isObject(rows.getString(3))) {
                    metadata.add(commit);
                }
            }
        }
        report("commit-time", Severity.ERROR, "the timestamp of commits cannot be read", unreadable);
        report(
                "commit-order",
                Severity.ERROR,
                "commits are older than the ones before them, so questions about a moment get wrong answers",
                backwards);
        report("commit-metadata", Severity.ERROR, "the metadata of commits is not a JSON object", metadata);
    }

    void schemas() throws SQLException {
        Places documents = new Places();
        Places hashes = new Places();
        Places registry = new Places();
        try (ResultSet rows = connection.prepare(SCHEMAS).executeQuery()) {
            while (rows.next()) {
                String where = rows.getString(1) + " " + rows.getString(2) + " version " + rows.getLong(3);
                Optional<String> canonical = canonical(rows.getString(4));
                if (canonical.isEmpty()
                        || type(rows.getString(1), rows.getString(2), rows.getString(4))
                                .isEmpty()) {
                    documents.add(where);
                } else if (!Sha256.hex(canonical.get()).equals(rows.getString(5))) {
                    hashes.add(where);
                }
                String registered = rows.getString(6);
                if (registered != null && !canonical(registered).equals(canonical)) {
                    registry.add(where);
                }
            }
        }
        report("schema-document", Severity.ERROR, "schema documents cannot be read", documents);
        report("schema-hash", Severity.ERROR, "schema documents do not have the hash that is stored with them", hashes);
        report(
                "schema-registry",
                Severity.ERROR,
                "the registered schema of a type is not its newest version",
                registry);
    }

    void locks(Instant now) throws SQLException {
        Places expired = new Places();
        Places unreadable = new Places();
        try (ResultSet rows = connection
                .prepare("SELECT lock_name, owner_id, acquired_at, expires_at FROM locks")
                .executeQuery()) {
            while (rows.next()) {
                String where = rows.getString(1) + " of '" + rows.getString(2) + "' until " + rows.getString(4);
                Optional<Instant> expiry = moment(rows.getString(4));
                if (expiry.isEmpty() || moment(rows.getString(3)).isEmpty()) {
                    unreadable.add(where);
                } else if (!expiry.get().isAfter(now)) {
                    expired.add(where);
                }
            }
        }
        report(
                "unreadable-lock",
                Severity.ERROR,
                "a lock has no readable times, so no writer can commit: 'onto lock show' prints the token with which 'onto lock break'"
                        + " replaces it",
                unreadable);
        report(
                "expired-lock",
                Severity.INFO,
                "the lease of the write lock's holder has expired; the next writer takes the lock",
                expired);
    }

    /** Compares what rows say about their keys with the columns that hold them, by the schema of their own version. */
    void keys() throws SQLException {
        Places wrong = new Places();
        Places missing = new Places();
        Places instances = new Places();
        for (Schema schema : readableSchemas()) {
            String name = schema.type().name();
            long version = schema.version();
            if (schema.type() instanceof EntityType entity) {
                String path = "$." + entity.keyField();
                wrong.addAll(connection.prepare(WRONG_KEYS, name, version, path));
                missing.addAll(connection.prepare(MISSING_KEYS, name, version, path));
            } else if (schema.type() instanceof RelationType relation) {
                int wrongWhenBlank = relation.instanceKeyField().isPresent() ? 1 : 0;
                instances.addAll(connection.prepare(WRONG_INSTANCE_KEYS, name, version, wrongWhenBlank));
            }
        }
        report("key-mismatch", Severity.ERROR, "the key field of entities is not their key", wrong);
        report("key-missing", Severity.WARNING, "the fields of entities lack their key field", missing);
        report(
                "instance-key",
                Severity.ERROR,
                "relations have an instance key though their type has none, or none though it has one",
                instances);
    }

    private record Schema(OntologyType type, long version) {}

    private List<Schema> readableSchemas() throws SQLException {
        List<Schema> schemas = new ArrayList<>();
        try (ResultSet rows = connection.prepare(SCHEMAS).executeQuery()) {
            while (rows.next()) {
                long version = rows.getLong(3);
                type(rows.getString(1), rows.getString(2), rows.getString(4))
                        .ifPresent(type -> schemas.add(new Schema(type, version)));
            }
        }
        return schemas;
    }

    private static Optional<OntologyType> type(String kind, String name, String json) {
        return attempt(() -> new SchemaVersion(
                        new TypeRef(TypeKind.of(kind), name),
                        1,
                        json,
                        "",
                        Instant.EPOCH,
                        Optional.empty(),
                        Optional.empty())
                .describe());
    }

    private static Optional<Instant> moment(@Nullable String text) {
        return text == null ? Optional.empty() : attempt(() -> UtcTimestamp.parse(text));
    }

    private static Optional<String> canonical(String json) {
        return attempt(() -> CanonicalJson.writeAscii(Json.parse(json)));
    }

    private static boolean isObject(String json) {
        return attempt(() -> Json.parse(json) instanceof Map).orElse(false);
    }

    private static <T> Optional<T> attempt(Supplier<T> reading) {
        try {
            return Optional.of(reading.get());
        } catch (OntologiaException e) {
            return Optional.empty();
        }
    }

    private void report(String code, Severity severity, String message, Places places) {
        if (places.count > 0) {
            findings.add(new Finding(code, severity, message, places.count, places.example));
        }
    }

    /** How often something was found, and where first. */
    private static final class Places {
        private long count;
        private String example = "";

        void add(String place) {
            example = count++ == 0 ? place : example;
        }

        /** Adds what a query counted. */
        void addAll(PreparedStatement counting) throws SQLException {
            try (ResultSet rows = counting.executeQuery()) {
                rows.next();
                if (rows.getLong(1) > 0) {
                    example = count == 0 ? rows.getString(2) : example;
                    count += rows.getLong(1);
                }
            }
        }
    }
}
