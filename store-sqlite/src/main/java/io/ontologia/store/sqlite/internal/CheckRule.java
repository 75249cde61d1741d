package io.ontologia.store.sqlite.internal;

import io.ontologia.core.Finding;
import io.ontologia.core.Finding.Severity;
import java.util.ArrayList;
import java.util.List;

/**
 * Something that a query can find wrong with a file.
 *
 * @param sql selects one text for each place where it is wrong
 */
record CheckRule(String code, Severity severity, String message, String sql) {
    private static final String COMMIT_GAPS = """
            SELECT CASE WHEN id - before = 2 THEN 'commit ' || (id - 1)
                ELSE 'commits ' || (before + 1) || ' to ' || (id - 1) END
            FROM (SELECT id, lag(id, 1, 0) OVER (ORDER BY id) AS before FROM commits)
            WHERE id - before > 1
            UNION ALL
            SELECT 'commits ' || (newest + 1) || ' to ' || seq
            FROM sqlite_sequence, (SELECT coalesce(max(id), 0) AS newest FROM commits)
            WHERE name = 'commits' AND seq > newest""";

    /** SQLite takes the number after the largest one ever used, and reports a full disk when there is none. */
    static final String SPENT_NUMBERS = """
            SELECT 'table ' || name || ' after ' || substr(seq, 1, 40) FROM (
                SELECT name, seq FROM sqlite_sequence
                UNION ALL SELECT 'commits', max(id) FROM commits
                UNION ALL SELECT 'entity_history', max(id) FROM entity_history
                UNION ALL SELECT 'relation_history', max(id) FROM relation_history
                UNION ALL SELECT 'schema_versions', max(id) FROM schema_versions)
            WHERE seq IS NOT NULL AND (typeof(seq) <> 'integer' OR seq > 4611686018427387903)""";

    private static final String LONELY_DIGESTS = """
            SELECT 'commit ' || commit_id FROM onto_commit_digests d
            WHERE NOT EXISTS (SELECT 1 FROM commits c WHERE c.id = d.commit_id)""";

    private static final String REBUILD = " set dirty = 1 in onto_latest_state, and the next write rebuilds it";

    private static final String VERSION_GAPS = """
            SELECT type_kind || ' ' || type_name || ' from version ' || before || ' to ' || version
            FROM (SELECT type_kind, type_name, schema_version_id AS version, lag(schema_version_id, 1, 0)
                    OVER (PARTITION BY type_kind, type_name ORDER BY schema_version_id) AS before
                FROM schema_versions)
            WHERE version - before <> 1""";

    private static final String UNVERSIONED = """
            SELECT type_kind || ' ' || type_name FROM schema_registry r
            WHERE NOT EXISTS (SELECT 1 FROM schema_versions v
                WHERE v.type_kind = r.type_kind AND v.type_name = r.type_name)""";

    private static final String MISSING_LETTERS = """
            SELECT event_id || ' of ' || handler_id FROM event_claims c WHERE dead_lettered_at IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM dead_letters d
                    WHERE d.event_id = c.event_id AND d.handler_id = c.handler_id)""";

    private static final String MISSING_CLAIMS = """
            SELECT event_id || ' of ' || handler_id FROM dead_letters d
            WHERE EXISTS (SELECT 1 FROM events e WHERE e.id = d.event_id AND e.namespace = d.namespace)
                AND NOT EXISTS (SELECT 1 FROM event_claims c
                    WHERE c.event_id = d.event_id AND c.handler_id = d.handler_id)""";

    private static final String ORPHANED_CLAIMS = """
            SELECT event_id || ' of ' || handler_id FROM event_claims c
            WHERE NOT EXISTS (SELECT 1 FROM events e WHERE e.id = c.event_id)""";

    private static final String ORPHANS = """
            SELECT {what} FROM {history} h WHERE NOT EXISTS (SELECT 1 FROM commits c WHERE c.id = h.commit_id)""";

    private static final String DUPLICATES = """
            SELECT {what} || ' in commit ' || h.commit_id FROM {history} h
            GROUP BY {keys}, commit_id HAVING count(*) > 1""";

    private static final String NO_OBJECT = """
            SELECT {what} FROM {history} h
            WHERE fields_json <> 'null'
                AND CASE WHEN json_valid(fields_json) THEN json_type(fields_json) <> 'object' ELSE 1 END""";

    private static final String UNDECLARED_END = """
            SELECT {what} FROM {history} h WHERE fields_json = 'null'
                AND NOT EXISTS (SELECT 1 FROM main.sqlite_schema WHERE name = 'onto_requires_retractions')""";

    private static final String UNKNOWN_TYPE = """
            SELECT {what} FROM {history} h WHERE NOT EXISTS (SELECT 1 FROM schema_registry r
                WHERE r.type_kind = '{kind}' AND r.type_name = h.{type})""";

    private static final String UNKNOWN_VERSION = """
            SELECT {what} || ' with version ' || coalesce(h.schema_version_id, 1) FROM {history} h
            WHERE NOT EXISTS (SELECT 1 FROM schema_versions v WHERE v.type_kind = '{kind}'
                AND v.type_name = h.{type} AND v.schema_version_id = coalesce(h.schema_version_id, 1))""";

    private static final String STALE_VERSION = """
            SELECT {what} || ' with version ' || coalesce(h.schema_version_id, 1)
            FROM (SELECT {keys}, max(commit_id), id AS newest_id FROM {history} GROUP BY {keys}) newest
            CROSS JOIN {history} h ON h.id = newest_id
            WHERE h.fields_json <> 'null' AND coalesce(h.schema_version_id, 1) < (SELECT max(schema_version_id) FROM schema_versions v
                WHERE v.type_kind = '{kind}' AND v.type_name = h.{type})""";

    private static final String LATEST_DIFFERS = """
            SELECT {what} FROM {history} h LEFT JOIN {latest} l ON {same}
            WHERE h.id = (SELECT n.id FROM {history} n
                    WHERE {newest} AND n.id <= (SELECT {upto} FROM onto_latest_state)
                    ORDER BY n.commit_id DESC, n.id DESC LIMIT 1)
              AND CASE h.fields_json WHEN 'null' THEN l.commit_id IS NOT NULL ELSE
                l.commit_id IS NOT h.commit_id OR l.fields_json IS NOT h.fields_json
                OR coalesce(l.schema_version_id, 1) <> coalesce(h.schema_version_id, 1) END
            UNION ALL
            SELECT h.{type} FROM {latest} h WHERE NOT EXISTS (SELECT 1 FROM {history} n WHERE {newest})""";

    private static final String LATEST_DOUBLED = """
            SELECT '{kind} ' || l.{type} || ', ' || l.n || ' rows for ' || coalesce(h.n, 0) || ' keys'
            FROM (SELECT {type}, count(*) AS n FROM {latest} GROUP BY {type}) l
            LEFT JOIN (SELECT {type}, count(*) AS n FROM (SELECT DISTINCT {keys} FROM {history}
                WHERE id <= (SELECT {upto} FROM onto_latest_state)) GROUP BY {type}) h ON h.{type} = l.{type}
            WHERE l.n > coalesce(h.n, 0)""";

    private static final String EXTENT_DIFFERS = """
            SELECT 'commit ' || coalesce(x.commit_id, h.commit_id) || ' in {commits}'
            FROM (SELECT commit_id, min(id) AS first_id, max(id) AS last_id, count(*) AS row_count FROM {history}
                WHERE id <= (SELECT {upto} FROM onto_latest_state) GROUP BY commit_id) h
            FULL JOIN {commits} x ON x.commit_id = h.commit_id
            WHERE x.first_id IS NOT h.first_id OR x.last_id IS NOT h.last_id OR x.row_count IS NOT h.row_count""";

    /** Rules about the log and the schemas. */
    static List<CheckRule> ofFile() {
        return List.of(
                new CheckRule(
                        "commit-gap",
                        Severity.ERROR,
                        "commits are missing from the log: it was edited, and what they wrote may be lost",
                        COMMIT_GAPS),
                new CheckRule(
                        "schema-version-gap",
                        Severity.ERROR,
                        "schema versions of a type do not follow each other: some were deleted",
                        VERSION_GAPS),
                new CheckRule(
                        "schema-without-version",
                        Severity.ERROR,
                        "a registered type has no schema version and cannot be used; register it again",
                        UNVERSIONED),
                new CheckRule(
                        "spent-numbers",
                        Severity.ERROR,
                        "a table has no numbers left for new rows: its largest id, or seq in the table sqlite_sequence, is damaged;"
                                + " restore the file from a backup",
                        SPENT_NUMBERS));
    }

    /** Rules about recorded digests, for files that have the table. */
    static List<CheckRule> ofDigests() {
        return List.of(new CheckRule(
                "digest-without-commit",
                Severity.WARNING,
                "digests are recorded for commits that do not exist: the table onto_commit_digests was edited, or commits were"
                        + " deleted",
                LONELY_DIGESTS));
    }

    /**
     * Rules about the event bus. Claims and dead letters are written in one transaction, and a clean-up removes events together
     * with their claims.
     */
    static List<CheckRule> ofBus() {
        return List.of(
                new CheckRule(
                        "missing-dead-letter",
                        Severity.WARNING,
                        "claims say that their events have dead letters, which are gone: restore them from a backup",
                        MISSING_LETTERS),
                new CheckRule(
                        "missing-claim",
                        Severity.WARNING,
                        "events have a dead letter of a handler whose claim is gone, and the handler gets them again: restore the"
                                + " claim from a backup",
                        MISSING_CLAIMS),
                new CheckRule(
                        "claim-without-event",
                        Severity.WARNING,
                        "claims are left whose events are gone: the events were deleted; restore them from a backup, or delete"
                                + " the claims",
                        ORPHANED_CLAIMS));
    }

    /** Rules about rows of one kind. */
    static List<CheckRule> ofRows(RowTable table) {
        List<CheckRule> rules = new ArrayList<>();
        rules.add(row(
                table,
                "orphaned-history",
                Severity.ERROR,
                "versions of rows belong to commits that do not exist",
                ORPHANS));
        rules.add(row(
                table,
                "duplicate-version",
                Severity.ERROR,
                "a commit holds two versions of one row, and which one counts is a matter of chance",
                DUPLICATES));
        rules.add(row(table, "invalid-fields", Severity.ERROR, "the fields of rows are not a JSON object", NO_OBJECT));
        rules.add(row(
                table,
                "undeclared-retraction",
                Severity.ERROR,
                "rows ended, and the file does not declare that its rows can end: some queries of the past miss them;"
                        + " 'onto copy' makes a store that declares it",
                UNDECLARED_END));
        rules.add(row(
                table,
                "blank-key",
                Severity.ERROR,
                "the key of rows is blank",
                "SELECT {what} FROM {history} h WHERE " + blank(table)));
        rules.add(row(
                table,
                "invalid-row-number",
                Severity.ERROR,
                "rows have an id below 1, and the commit log leaves them out: the table was edited",
                "SELECT {what} FROM {history} h WHERE h.id < 1"));
        rules.add(row(
                table,
                "unknown-type",
                Severity.ERROR,
                "rows belong to types that are not registered, and no query finds them",
                UNKNOWN_TYPE));
        rules.add(row(
                table,
                "unknown-schema-version",
                Severity.ERROR,
                "rows carry a schema version that their type never had, and no query finds them",
                UNKNOWN_VERSION));
        rules.add(row(
                table,
                "stale-schema-version",
                Severity.WARNING,
                "current rows carry an older schema version than their type and are left out of queries;"
                        + " write them again, or migrate their type",
                STALE_VERSION));
        return rules;
    }

    /** Whether the side tables say what the history says, up to the row of history that they claim to have. */
    static List<CheckRule> ofLatest(RowTable table) {
        return List.of(
                row(
                        table,
                        "latest-differs",
                        Severity.ERROR,
                        "the side table of latest versions differs from the history, and queries give wrong answers;"
                                + REBUILD,
                        LATEST_DIFFERS),
                row(
                        table,
                        "latest-doubled",
                        Severity.ERROR,
                        "the side table of latest versions has more rows than there are keys, and queries give wrong answers;"
                                + REBUILD,
                        LATEST_DOUBLED),
                row(
                        table,
                        "commit-extent",
                        Severity.ERROR,
                        "the side table of commits differs from the history, and commits are shown with wrong rows;"
                                + REBUILD,
                        EXTENT_DIFFERS));
    }

    private static CheckRule row(RowTable table, String code, Severity severity, String message, String template) {
        return new CheckRule(code, severity, message, fill(table, template));
    }

    /** A template with the names of a kind's tables, and with a text that tells where a row {@code h} is. */
    static String fill(RowTable table, String template) {
        String what = "'" + table.kind().wireName() + " ' || h." + table.typeColumn() + " || ' ''' || "
                + String.join(" || ' -> ' || ", prefixed(table)) + " || ''''";
        return table.sql(template.replace("{what}", what)
                .replace("{kind}", table.kind().wireName())
                .replace("{same}", table.sameKey("l", "h"))
                .replace("{newest}", table.sameKey("n", "h")));
    }

    private static List<String> prefixed(RowTable table) {
        return table.identity().stream().map(column -> "h." + column).toList();
    }

    private static String blank(RowTable table) {
        return String.join(
                " OR ",
                table.identity().stream()
                        .filter(column -> !column.equals("instance_key"))
                        .map(column -> "trim(h." + column + ") = ''")
                        .toList());
    }

    /** The finding, when there is one, of a query that counts places and names the first. */
    Finding found(long count, String example) {
        return new Finding(code, severity, message, count, example);
    }
}
