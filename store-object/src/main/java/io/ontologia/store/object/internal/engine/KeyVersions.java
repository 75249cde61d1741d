package io.ontologia.store.object.internal.engine;

import io.ontologia.core.Identity;
import io.ontologia.core.TypeRef;
import io.ontologia.core.Window;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.SqlFragment;
import io.ontologia.core.spi.StoredRow;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads versions of rows with a few keys from a table of all versions. The statement names the keys alone, so that an index
 * serves it; the few rows are compared with the window here.
 */
public final class KeyVersions {
    private static final Comparator<StoredRow> NEWEST =
            Comparator.comparingLong(StoredRow::commitId).thenComparing(StoredRow::fieldsJson);

    private KeyVersions() {}

    /** Whether a query wants all rows of its window that have certain keys, in their natural order. */
    public static boolean serve(RowQuery query) {
        return query.restriction().isPresent()
                && query.filter().isEmpty()
                && query.order().isEmpty()
                && query.limit().isEmpty()
                && query.offset() == 0
                && query.after().isEmpty();
    }

    /** The rows of a query that is served, from a table that stands at a commit. */
    static List<StoredRow> find(LocalDatabase current, RowQuery query, long commitId) throws SQLException {
        TypeRef type = query.type();
        RowColumns columns = RowColumns.of(type.kind());
        RowQuery.Restriction keys = query.restriction().orElseThrow();
        if (keys.keys().isEmpty()) {
            return List.of();
        }
        try (Reading reading = Reading.begin(current.database())) {
            String table = current.catalog()
                    .table(LatestLookUp.entry(current, reading, type, OptionalLong.of(commitId))
                            .id());
            String wanted = keys.keys().stream().distinct().map(Literals::text).collect(Collectors.joining(", "));
            PreparedStatement statement = Database.prepare(
                    reading.connection(),
                    SqlFragment.of("SELECT " + columns.identityList()
                            + ", fields_json, commit_id, coalesce(schema_version_id, 1) FROM " + table + " WHERE "
                            + RowColumns.column(keys.part()) + " IN (" + wanted + ")"));
            try (Stream<StoredRow> rows = RowStream.open(reading, columns, statement)) {
                return inWindow(query, rows);
            }
        }
    }

    private static List<StoredRow> inWindow(RowQuery query, Stream<StoredRow> versions) {
        Stream<StoredRow> wanted = versions;
        if (query.window() instanceof Window.History history) {
            wanted = versions.filter(
                            row -> row.commitId() > history.afterCommitId() && row.commitId() <= history.upToCommitId())
                    .sorted(Comparator.comparingLong(StoredRow::commitId)
                            .thenComparing(StoredRow::identity, RowColumns.order()));
        } else {
            long upTo = query.window() instanceof Window.AsOf asOf ? asOf.commitId() : Long.MAX_VALUE;
            Map<Identity, StoredRow> newest = new TreeMap<>(RowColumns.order());
            versions.filter(row -> row.commitId() <= upTo)
                    .forEach(row -> newest.merge(row.identity(), row, BinaryOperator.maxBy(NEWEST)));
            wanted = newest.values().stream();
        }
        return wanted.filter(row -> row.isEnd()
                        ? query.showsEnds()
                        : query.schemaVersion().orElse(row.schemaVersion()) == row.schemaVersion())
                .toList();
    }
}
