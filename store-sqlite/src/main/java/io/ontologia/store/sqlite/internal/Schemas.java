package io.ontologia.store.sqlite.internal;

import io.ontologia.core.FieldDef;
import io.ontologia.core.OntologyType;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.SchemaText;
import io.ontologia.core.spi.SqlNames;
import io.ontologia.core.spi.TypeHistory;
import io.ontologia.kernel.UtcTimestamp;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The schema registry and the versions of each type's schema. */
final class Schemas {
    private static final String COLUMNS =
            "type_kind, type_name, schema_version_id, schema_json, schema_hash, created_at, runtime_id, reason";

    private static final String CURRENT = "SELECT " + COLUMNS + """
             FROM schema_versions v
            WHERE schema_version_id = (SELECT max(schema_version_id) FROM schema_versions w
                WHERE w.type_kind = v.type_kind AND w.type_name = v.type_name)
              AND EXISTS (SELECT 1 FROM schema_registry r
                WHERE r.type_kind = v.type_kind AND r.type_name = v.type_name)
            ORDER BY type_kind, type_name""";

    private static final String ALL =
            "SELECT " + COLUMNS + " FROM schema_versions ORDER BY type_kind, type_name, schema_version_id";

    private static final String ALL_OF_TYPE = "SELECT " + COLUMNS
            + " FROM schema_versions WHERE type_kind = ? AND type_name = ? ORDER BY schema_version_id";

    private static final String LAST_VERSION =
            "SELECT max(schema_version_id) FROM schema_versions WHERE type_kind = ?1 AND type_name = ?2";

    static final String CURRENT_VERSION =
            LAST_VERSION + " AND EXISTS (SELECT 1 FROM schema_registry WHERE type_kind = ?1 AND type_name = ?2)";

    /** The indexes on fields, each with the condition that its definition ends with. */
    private static final String INDEXES = """
            SELECT name, substr(sql, instr(sql, ' WHERE ')) FROM sqlite_master
            WHERE type = 'index' AND name GLOB 'onto_ix_*'""";

    private static final String ADD_VERSION =
            "INSERT INTO schema_versions (" + COLUMNS + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?)";

    private static final String SET_REGISTERED = """
            INSERT INTO schema_registry (type_kind, type_name, schema_json) VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET schema_json = excluded.schema_json""";

    private Schemas() {}

    static List<SchemaVersion> current(SqlConnection connection) throws SQLException {
        return read(connection, connection.prepare(CURRENT));
    }

    static List<SchemaVersion> ofType(SqlConnection connection, TypeRef type) throws SQLException {
        return read(connection, connection.prepare(ALL_OF_TYPE, type.kind().wireName(), type.name()));
    }

    /** Every version of every type that there ever was, by kind, name and number. */
    static List<SchemaVersion> all(SqlConnection connection) throws SQLException {
        return read(connection, connection.prepare(ALL));
    }

    /** The current version of a type, 0 when it is not known, or no longer. */
    static long currentVersion(SqlConnection connection, TypeRef type) throws SQLException {
        return connection
                .number(CURRENT_VERSION, type.kind().wireName(), type.name())
                .orElse(0);
    }

    /** The newest version that a type ever had, 0 when it had none. */
    private static long lastVersion(SqlConnection connection, TypeRef type) throws SQLException {
        return connection
                .number(LAST_VERSION, type.kind().wireName(), type.name())
                .orElse(0);
    }

    /** The current version of every known type. */
    static Map<TypeRef, Long> currentVersions(SqlConnection connection) throws SQLException {
        return current(connection).stream().collect(Collectors.toMap(SchemaVersion::type, SchemaVersion::version));
    }

    /** Stores the next version of a type's schema and makes it the registered one; its indexes stay as they are. */
    static long add(
            SqlConnection connection,
            OntologyType type,
            Instant now,
            String runtimeId,
            String reason,
            Optional<String> upgrade)
            throws SQLException {
        String kind = type.kind().wireName();
        long version = lastVersion(connection, type.ref()) + 1;
        String json = SchemaText.of(type);
        add(
                connection,
                new SchemaVersion(
                        type.ref(),
                        version,
                        json,
                        type.schemaHash(),
                        now,
                        Optional.of(runtimeId),
                        Optional.of(reason),
                        upgrade));
        connection.update(SET_REGISTERED, kind, type.name(), SchemaText.canonical(json));
        return version;
    }

    private static void add(SqlConnection connection, SchemaVersion version) throws SQLException {
        connection.update(
                ADD_VERSION,
                version.type().kind().wireName(),
                version.type().name(),
                version.version(),
                version.schemaJson(),
                version.schemaHash(),
                UtcTimestamp.format(version.createdAt()),
                version.runtimeId().orElse(null),
                version.reason().orElse(null));
        if (version.upgrade().isPresent()) {
            SchemaUpgrades.record(
                    connection,
                    version.type(),
                    version.version(),
                    version.upgrade().get());
        }
    }

    /** Stores what another store knows of types that this one does not know. */
    static void restore(SqlConnection connection, List<TypeHistory> types) throws SQLException {
        for (TypeHistory type : types) {
            restore(connection, type);
        }
        indexFields(
                connection,
                types.stream()
                        .filter(type -> type.status() == TypeHistory.Status.KNOWN)
                        .map(type -> type.last().describe())
                        .toList());
    }

    private static void restore(SqlConnection connection, TypeHistory type) throws SQLException {
        for (SchemaVersion version : type.versions()) {
            add(connection, version);
        }
        if (type.status() == TypeHistory.Status.KNOWN) {
            String kind = type.type().kind().wireName();
            connection.update(
                    SET_REGISTERED,
                    kind,
                    type.type().name(),
                    SchemaText.canonical(type.last().schemaJson()));
        }
    }

    /** Makes a type unknown. Its versions stay, so that none is ever used twice. */
    static void remove(SqlConnection connection, TypeRef type) throws SQLException {
        connection.update(
                "DELETE FROM schema_registry WHERE type_kind = ? AND type_name = ?",
                type.kind().wireName(),
                type.name());
        dropIndexes(connection, type);
    }

    /**
     * Gives each field with an index hint an index on the latest versions, and drops all others of the types. What is there
     * is read once for all types: SQLite finds the indexes of a type only by going through all.
     */
    static void indexFields(SqlConnection connection, Collection<? extends OntologyType> types) throws SQLException {
        Map<String, List<String>> present = indexes(connection);
        for (OntologyType type : types) {
            RowTable table = RowTable.of(type.kind());
            Map<String, String> wanted = new LinkedHashMap<>();
            for (FieldDef field : type.payload()) {
                if (field.indexed() == FieldDef.Index.YES) {
                    String index = "onto_ix_%s_%s__%s".formatted(type.kind().wireName(), type.name(), field.name());
                    wanted.put(
                            index,
                            "CREATE INDEX IF NOT EXISTS %s ON %s(json_extract(fields_json, '$.%s')) WHERE %s"
                                    .formatted(
                                            SqlNames.quoted(index), table.latest(), field.name(), ofType(type.ref())));
                }
            }
            for (String index : present.getOrDefault(suffix(type.ref()), List.of())) {
                if (wanted.remove(index) == null) {
                    connection.execute("DROP INDEX " + SqlNames.quoted(index));
                }
            }
            connection.execute(wanted.values().toArray(String[]::new));
        }
    }

    /** Drops the indexes of a type: before all its rows change, because filling one anew is faster than upkeep. */
    static void dropIndexes(SqlConnection connection, TypeRef type) throws SQLException {
        for (String index : indexes(connection).getOrDefault(suffix(type), List.of())) {
            connection.execute("DROP INDEX " + SqlNames.quoted(index));
        }
    }

    /** The names of all indexes on fields, by the condition that stands for their type. */
    private static Map<String, List<String>> indexes(SqlConnection connection) throws SQLException {
        Map<String, List<String>> names = new HashMap<>();
        try (ResultSet rows = connection.prepare(INDEXES).executeQuery()) {
            while (rows.next()) {
                names.computeIfAbsent(rows.getString(2), condition -> new ArrayList<>())
                        .add(rows.getString(1));
            }
        }
        return names;
    }

    private static String suffix(TypeRef type) {
        return " WHERE " + ofType(type);
    }

    private static String ofType(TypeRef type) {
        return RowTable.of(type.kind()).typeColumn() + " = '" + type.name() + "'";
    }

    private static List<SchemaVersion> read(SqlConnection connection, PreparedStatement statement) throws SQLException {
        return SchemaUpgrades.complete(connection, read(statement));
    }

    private static List<SchemaVersion> read(PreparedStatement statement) throws SQLException {
        List<SchemaVersion> versions = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                versions.add(new SchemaVersion(
                        StoredText.type(
                                "schema_versions",
                                StoredText.kind("schema_versions", SqlErrors.present(rows.getString(1))),
                                SqlErrors.present(rows.getString(2))),
                        rows.getLong(3),
                        SqlErrors.present(rows.getString(4)),
                        SqlErrors.present(rows.getString(5)),
                        StoredText.moment("schema_versions", SqlErrors.present(rows.getString(6))),
                        Optional.ofNullable(rows.getString(7)),
                        Optional.ofNullable(rows.getString(8))));
            }
        }
        return versions;
    }
}
