package io.ontologia.testkit;

import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.Clock;
import io.ontologia.kernel.Json;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.UtcTimestamp;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The specification of the store on SQLite by plain JDBC: its tables and its statements, and no others. */
public final class ForeignSqlite implements ForeignWriter {
    private static final String OWNER = "foreign";
    private static final String LOCK = "ontology_write";
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final PlainSqlite file;
    private final Clock clock;

    /** Opens a file; the driver of SQLite must be on the class path. */
    public ForeignSqlite(String path, Clock clock) throws SQLException {
        this.clock = clock;
        file = new PlainSqlite(path);
        file.execute("PRAGMA journal_mode=WAL");
    }

    private String now() {
        return UtcTimestamp.format(clock.now());
    }

    @Override
    public Optional<Long> commit(Map<String, String> names, Map<String, Long> numbers) throws SQLException {
        if (!acquireLock()) {
            return Optional.empty();
        }
        file.execute("BEGIN IMMEDIATE");
        long id = insertCommit();
        for (Map.Entry<String, String> row : names.entrySet()) {
            insertEntity(
                    "Customer",
                    row.getKey(),
                    ForeignJson.text(ForeignJson.fields("name", row.getValue(), "id", row.getKey())),
                    id,
                    version("entity", "Customer"));
        }
        for (Map.Entry<String, Long> row : numbers.entrySet()) {
            String[] ends = row.getKey().split(">", -1);
            file.execute(
                    "INSERT INTO relation_history (relation_type, left_key, right_key, instance_key, fields_json,"
                            + " commit_id, schema_version_id) VALUES (?, ?, ?, ?, ?, ?, ?)",
                    "Knows",
                    ends[0],
                    ends[1],
                    "",
                    ForeignJson.text(ForeignJson.fields("n", row.getValue())),
                    id,
                    version("relation", "Knows"));
        }
        file.execute("COMMIT");
        releaseLock();
        return Optional.of(id);
    }

    @Override
    public Optional<Long> define(String type, int version, Map<String, Long> parts) throws SQLException {
        if (!acquireLock()) {
            return Optional.empty();
        }
        String schema = CanonicalJson.writeAscii(ForeignParts.schema(type, version));
        file.execute("BEGIN IMMEDIATE");
        file.execute(
                "INSERT OR REPLACE INTO schema_registry (type_kind, type_name, schema_json) VALUES (?, ?, ?)",
                "entity",
                type,
                schema);
        file.execute(
                "INSERT INTO schema_versions (type_kind, type_name, schema_version_id, schema_json, schema_hash,"
                        + " created_at, runtime_id, reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                "entity",
                type,
                version,
                schema,
                ForeignParts.hash(type, version),
                now(),
                OWNER,
                version == 1 ? "initial" : "migration");
        long id = insertCommit();
        for (Map.Entry<String, Long> part : parts.entrySet()) {
            String fields = ForeignJson.text(ForeignParts.row(part.getKey(), part.getValue(), version));
            insertEntity(type, part.getKey(), fields, id, version);
        }
        file.execute("COMMIT");
        releaseLock();
        return Optional.of(id);
    }

    private long insertCommit() throws SQLException {
        file.execute("INSERT INTO commits (created_at, metadata_json) VALUES (?, ?)", now(), "{\"by\": \"foreign\"}");
        return file.number("SELECT last_insert_rowid()");
    }

    private void insertEntity(String type, String key, String fields, long commitId, long version) throws SQLException {
        file.execute(
                "INSERT INTO entity_history (entity_type, entity_key, fields_json, commit_id, schema_version_id)"
                        + " VALUES (?, ?, ?, ?, ?)",
                type,
                key,
                fields,
                commitId,
                version);
    }

    private boolean acquireLock() throws SQLException {
        file.execute("DELETE FROM locks WHERE lock_name = ? AND expires_at < ?", LOCK, now());
        return file.execute(
                        "INSERT OR IGNORE INTO locks (lock_name, owner_id, acquired_at, expires_at) VALUES (?, ?, ?, ?)",
                        LOCK,
                        OWNER,
                        now(),
                        UtcTimestamp.format(clock.now().plus(LEASE)))
                == 1;
    }

    private void releaseLock() throws SQLException {
        file.execute("DELETE FROM locks WHERE lock_name = ? AND owner_id = ?", LOCK, OWNER);
    }

    private long version(String kind, String type) throws SQLException {
        return file.number(
                "SELECT max(schema_version_id) FROM schema_versions WHERE type_kind = ? AND type_name = ?", kind, type);
    }

    @Override
    public boolean compact() {
        return false;
    }

    @Override
    public long head() throws SQLException {
        return file.number("SELECT coalesce(max(id), 0) FROM commits");
    }

    @Override
    public Map<String, String> names(long commitId) throws SQLException {
        Map<String, String> found = new TreeMap<>();
        for (List<String> row : file.rows(SqliteSpecification.ENTITIES_AS_OF, "Customer", commitId, "Customer")) {
            found.put(row.get(0), JsonObject.parse("fields", row.get(1)).text("name"));
        }
        return found;
    }

    @Override
    public Map<String, Long> numbers() throws SQLException {
        Map<String, Long> found = new TreeMap<>();
        for (List<String> row : file.rows(SqliteSpecification.LATEST_RELATIONS, "Knows", "Knows")) {
            found.put(
                    row.get(0) + ">" + row.get(1),
                    JsonObject.parse("fields", row.get(3)).integer("n"));
        }
        return found;
    }

    @Override
    public List<String> history() throws SQLException {
        return file.rows(SqliteSpecification.ENTITY_HISTORY + ", eh.entity_key", "Customer").stream()
                .map(row -> row.get(2) + " " + row.get(0) + " "
                        + JsonObject.parse("fields", row.get(1)).text("name"))
                .toList();
    }

    @Override
    public List<String> schemas(String type) throws SQLException {
        return file.joined(
                " ",
                "SELECT schema_version_id, schema_hash, reason FROM schema_versions"
                        + " WHERE type_kind = 'entity' AND type_name = ? ORDER BY schema_version_id",
                type);
    }

    @Override
    public Map<String, String> parts(String type) throws SQLException {
        Map<String, String> found = new TreeMap<>();
        for (List<String> row : file.rows(SqliteSpecification.LATEST_ENTITIES, type, type)) {
            found.put(row.get(0), CanonicalJson.write(Json.parse(row.get(1))));
        }
        return found;
    }

    @Override
    public ForeignBus bus() {
        return new ForeignSqliteBus(file, clock);
    }

    @Override
    public void close() throws SQLException {
        file.close();
    }
}
