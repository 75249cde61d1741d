package io.ontologia.store.object.internal.engine;

import io.ontologia.core.Identity;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.SqlFragment;
import io.ontologia.core.spi.StoredRow;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads tables of latest versions. Refuses a table that does not stand at the commit that is asked for. */
final class LatestLookUp {
    /** So many rows are named in the statement; more are joined. */
    static final int FEW = 64;

    private LatestLookUp() {}

    /** The newest versions of some rows, in no order; those that are not there are left out. */
    static List<StoredRow> find(LocalDatabase current, TypeRef type, OptionalLong commitId, List<Identity> identities)
            throws SQLException {
        RowColumns columns = RowColumns.of(type.kind());
        try (Reading reading = Reading.begin(current.database());
                RowFunction.Loan loan = current.database().rows().lend(RowBatch.ofIdentities(type, identities))) {
            String table = current.catalog()
                    .table(entry(current, reading, type, commitId).id());
            PreparedStatement statement = Database.prepare(
                    reading.connection(),
                    SqlFragment.of("SELECT " + columns.identityList()
                            + ", fields_json, commit_id, coalesce(schema_version_id, 1) FROM " + table + " WHERE "
                            + (identities.size() <= FEW ? among(columns, identities) : among(columns, loan))));
            try (Stream<StoredRow> rows = RowStream.open(reading, columns, statement)) {
                return rows.toList();
            }
        }
    }

    private static String among(RowColumns columns, RowFunction.Loan loan) {
        return "(" + columns.identityList() + ") IN (SELECT " + columns.identityList() + " FROM " + loan.sql() + ")";
    }

    /** In a form that the index on the first part of the identity serves. */
    private static String among(RowColumns columns, List<Identity> identities) {
        String first = columns.identity().get(0) + " IN ("
                + identities.stream()
                        .map(identity ->
                                Literals.text(RowColumns.values(identity).get(0)))
                        .distinct()
                        .collect(Collectors.joining(", "))
                + ")";
        return columns == RowColumns.ENTITIES
                ? first
                : first + " AND (" + columns.identityList() + ") IN ("
                        + identities.stream()
                                .map(identity -> RowColumns.values(identity).stream()
                                        .map(Literals::text)
                                        .collect(Collectors.joining(", ", "(", ")")))
                                .collect(Collectors.joining(", "))
                        + ")";
    }

    /** The rows of a type for one statement. */
    static RowSource rows(LocalDatabase current, Reading reading, TypeRef type, long commitId) {
        try {
            LatestCatalog.Entry entry = entry(current, reading, type, OptionalLong.of(commitId));
            return new TableRows(
                    current.extent(),
                    RowColumns.of(type.kind()),
                    current.catalog().table(entry.id()),
                    entry.columns());
        } catch (SQLException e) {
            throw DuckErrors.wrap("cannot read the latest versions of " + type, e);
        }
    }

    static LatestCatalog.Entry entry(LocalDatabase current, Reading reading, TypeRef type, OptionalLong commitId)
            throws SQLException {
        LatestCatalog.Entry entry = current.catalog()
                .find(reading.connection(), type)
                .orElseThrow(() -> new StaleLatestException(type, commitId.orElse(0), "nothing"));
        long found = entry.applied().commitId();
        if (commitId.orElse(found) != found) {
            throw new StaleLatestException(type, commitId.getAsLong(), "commit " + found);
        }
        return entry;
    }
}
