package io.ontologia.store.sqlite.internal;

import io.ontologia.core.Finding;
import io.ontologia.core.Finding.Severity;
import io.ontologia.core.Progress;
import io.ontologia.core.spi.DigestChain;
import io.ontologia.core.spi.StoreHistory;
import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Checks a whole file, in one snapshot of it. */
final class Check {
    private static final String VERSIONED_TYPE = """
            SELECT 'entity ' || entity_type FROM entity_history WHERE schema_version_id IS NOT NULL
            UNION ALL
            SELECT 'relation ' || relation_type FROM relation_history WHERE schema_version_id IS NOT NULL
            LIMIT 1""";

    private final Connections connections;
    private final SqlConnection connection;
    private final List<Finding> findings = new ArrayList<>();

    /** One part of the check. */
    interface Part {
        void run() throws SQLException;
    }

    private Check(Connections connections, SqlConnection connection) {
        this.connections = connections;
        this.connection = connection;
    }

    static List<Finding> run(Connections connections, Clock clock, Progress progress) {
        return Transactions.onReader(connections, "cannot check " + connections.file(), connection -> {
            connection.begin("BEGIN");
            try {
                return new Check(connections, connection).all(connections.hasLatest(connection), clock, progress);
            } finally {
                connection.rollback();
            }
        });
    }

    private List<Finding> all(boolean hasLatest, Clock clock, Progress progress) throws SQLException {
        Map<String, Part> parts = new LinkedHashMap<>();
        parts.put("file structure", this::integrity);
        parts.put("definitions", () -> findings.addAll(Definitions.check(connection)));
        parts.put("foreign keys", this::foreignKeys);
        parts.put("tables and indexes", this::missing);
        parts.put("commit log and schemas", () -> runRules(CheckRule.ofFile()));
        CheckDocuments documents = new CheckDocuments(connection, findings);
        parts.put("commits", documents::commits);
        parts.put("schema documents", documents::schemas);
        parts.put("write lock", () -> documents.locks(clock.now()));
        parts.put("event bus", () -> runRules(CheckRule.ofBus()));
        for (RowTable table : RowTable.values()) {
            parts.put(table.kind().wireName() + " rows", () -> runRules(CheckRule.ofRows(table)));
        }
        parts.put("keys", documents::keys);
        if (hasLatest) {
            parts.put("latest versions", this::latest);
        }
        parts.put("digests", this::digests);
        parts.put("write-ahead log", () -> WriteAheadLog.check(connections, connection, findings));
        int done = 0;
        for (Map.Entry<String, Part> part : parts.entrySet()) {
            progress.report(part.getKey(), done++, parts.size());
            guarded(part.getKey(), part.getValue());
        }
        progress.report("done", done, parts.size());
        findings.sort(Comparator.comparing(Finding::severity));
        return List.copyOf(findings);
    }

    /** A damaged file can fail any query: that is a finding as well, and the other parts may still tell more. */
    private void guarded(String name, Part part) throws SQLException {
        try {
            part.run();
        } catch (SQLException e) {
            if (SqlErrors.isBusy(e)) {
                throw e;
            }
            unreadable(name, e);
        } catch (OntologiaException e) {
            // Timestamps and names that cannot be read are invalid input elsewhere.
            if (e.kind() != ErrorKind.CORRUPT && e.kind() != ErrorKind.INVALID_INPUT) {
                throw e;
            }
            unreadable(name, e);
        }
    }

    private void unreadable(String name, Exception e) {
        findings.add(new Finding(
                "unreadable",
                Severity.ERROR,
                "a part of the file cannot be read; restore it from a backup",
                1,
                name + ": " + e.getMessage()));
    }

    /** Computes every commit's digest again, from a connection of its own. */
    private void digests() throws SQLException {
        if (Digests.areReady(connection)) {
            runRules(CheckRule.ofDigests());
        }
        try (StoreHistory history = PastCommits.open(connections)) {
            findings.addAll(new DigestChain(history).check(Progress.none()));
        }
    }

    private void integrity() throws SQLException {
        List<String> problems = new ArrayList<>();
        try (ResultSet rows = connection.prepare("PRAGMA integrity_check").executeQuery()) {
            while (rows.next()) {
                if (!rows.getString(1).equals("ok")) {
                    problems.add(rows.getString(1));
                }
            }
        }
        add("integrity", "the file is damaged; restore it from a backup", problems);
    }

    /** Tables and indexes of the specification that are missing, where the tables that they belong to are there. */
    private void missing() throws SQLException {
        List<String> indexes = new ArrayList<>(Tables.missing(connection));
        if (indexes.contains("schema_versions")
                || connection
                        .number("SELECT 1 FROM main.schema_versions LIMIT 1")
                        .isEmpty()) {
            // Files from before schema versions have none, and rows without them.
            connection
                    .text(VERSIONED_TYPE)
                    .ifPresent(type -> findings.add(new Finding(
                            "schema-versions-missing",
                            Severity.WARNING,
                            "the file has lost its schema versions, also those of earlier schemas;"
                                    + " opening it for writing stores the current schemas",
                            1,
                            type)));
        }
        List<String> events = EventTables.missing(connection);
        if (!events.contains("events")) {
            indexes.addAll(events);
        }
        indexes.removeIf(name -> !name.startsWith("idx_"));
        if (!indexes.isEmpty()) {
            findings.add(new Finding(
                    "missing-index",
                    Severity.WARNING,
                    "indexes of the specification are missing, and look-ups read whole tables;"
                            + " 'onto init' and opening the file for writing make them again",
                    indexes.size(),
                    indexes.get(0)));
        }
    }

    private void foreignKeys() throws SQLException {
        List<String> problems = new ArrayList<>();
        try (ResultSet rows = connection.prepare("PRAGMA foreign_key_check").executeQuery()) {
            while (rows.next()) {
                problems.add("row " + rows.getLong(2) + " of " + rows.getString(1) + " without its row in "
                        + rows.getString(3));
            }
        }
        add("foreign-key", "rows refer to rows of other tables that do not exist", problems);
    }

    private void add(String code, String message, List<String> problems) {
        if (!problems.isEmpty()) {
            findings.add(new Finding(code, Severity.ERROR, message, problems.size(), problems.get(0)));
        }
    }

    private void latest() throws SQLException {
        Position position = Position.of(connection);
        if (!position.isLevel()) {
            findings.add(new Finding(
                    "latest-behind",
                    Severity.INFO,
                    "the history has rows after those in the side tables of latest versions; the next query of a session that"
                            + " may write brings them level",
                    1,
                    "onto_latest_state"));
        }
        if (position.dirty()) {
            return;
        }
        for (RowTable table : RowTable.values()) {
            runRules(CheckRule.ofLatest(table));
        }
    }

    private void runRules(List<CheckRule> rules) throws SQLException {
        for (CheckRule rule : rules) {
            try (ResultSet rows = connection
                    .prepare("SELECT count(*), min(place) FROM (SELECT NULL AS place WHERE 0 UNION ALL " + rule.sql()
                            + ")")
                    .executeQuery()) {
                rows.next();
                if (rows.getLong(1) > 0) {
                    findings.add(rule.found(rows.getLong(1), rows.getString(2)));
                }
            }
        }
    }
}
