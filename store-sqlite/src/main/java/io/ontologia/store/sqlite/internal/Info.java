package io.ontologia.store.sqlite.internal;

import io.ontologia.core.LockDamage;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.StorageInfo;
import io.ontologia.core.StorageInfo.RowCounts;
import io.ontologia.core.TypeRef;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Finds out what a store is and how much is in it. */
final class Info {
    private static final Comparator<TypeRef> BY_KIND_AND_NAME =
            Comparator.comparing(TypeRef::kind).thenComparing(TypeRef::name);

    private Info() {}

    static StorageInfo read(SqlConnection connection, Path file, SqliteUri uri, StorageInfo.Detail detail)
            throws SQLException {
        Optional<LockDamage> damage = WriteLock.damage(connection);
        return new StorageInfo(
                "sqlite",
                uri.text(),
                "SQLite " + connection.text("SELECT sqlite_version()").orElseThrow(),
                Log.head(connection),
                sizes(file),
                detail == StorageInfo.Detail.ROW_COUNTS ? rows(connection) : Map.of(),
                damage.isPresent() ? Optional.empty() : WriteLock.holder(connection),
                damage,
                Optional.empty());
    }

    private static Map<String, Long> sizes(Path file) {
        Map<String, Long> sizes = new LinkedHashMap<>();
        for (String suffix : new String[] {"", "-wal", "-shm"}) {
            Path part = file.resolveSibling(file.getFileName() + suffix);
            try {
                if (Files.exists(part)) {
                    sizes.put(part.getFileName().toString(), Files.size(part));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return sizes;
    }

    /** Every type with rows, and every known type without. */
    private static Map<TypeRef, RowCounts> rows(SqlConnection connection) throws SQLException {
        Map<TypeRef, RowCounts> counts = new TreeMap<>(BY_KIND_AND_NAME);
        for (SchemaVersion schema : Schemas.current(connection)) {
            counts.put(schema.type(), new RowCounts(0, 0));
        }
        for (RowTable table : RowTable.values()) {
            // Both numbers from the look-up index alone.
            String sql = table.sql("""
                    SELECT {type}, count(*), sum(versions)
                    FROM (SELECT {keys}, count(*) AS versions FROM {history} GROUP BY {keys}) GROUP BY {type}""");
            try (ResultSet rows = connection.prepare(sql).executeQuery()) {
                while (rows.next()) {
                    counts.put(
                            StoredText.type(table.history(), table.kind(), rows.getString(1)),
                            new RowCounts(rows.getLong(2), rows.getLong(3)));
                }
            }
            if (Features.hasRetractions(connection)) {
                subtractEnded(connection, table, counts);
            }
        }
        return counts;
    }

    private static void subtractEnded(SqlConnection connection, RowTable table, Map<TypeRef, RowCounts> counts)
            throws SQLException {
        String sql = table.sql("""
                SELECT {type}, count(*) FROM {history} h WHERE fields_json = 'null' AND NOT EXISTS (
                    SELECT 1 FROM {history} n WHERE %s AND n.commit_id > h.commit_id) GROUP BY {type}""".formatted(table.sameKey("n", "h")));
        try (ResultSet rows = connection.prepare(sql).executeQuery()) {
            while (rows.next()) {
                long ended = rows.getLong(2);
                counts.computeIfPresent(
                        StoredText.type(table.history(), table.kind(), rows.getString(1)),
                        (type, all) -> new RowCounts(all.current() - ended, all.history()));
            }
        }
    }
}
