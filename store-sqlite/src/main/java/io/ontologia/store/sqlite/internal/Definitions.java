package io.ontologia.store.sqlite.internal;

import io.ontologia.core.Finding;
import io.ontologia.core.Finding.Severity;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a file defines beside our tables. A file may come from anybody: a trigger on one of our tables runs with our statements,
 * and so do a view, a virtual table or a generated column in the place of what we expect.
 */
final class Definitions {
    private static final Pattern DEFINITION =
            Pattern.compile("create (table|index|trigger) if not exists (\\w+) .*", Pattern.DOTALL);

    /** What the program defines: by kind, the plain text by name. */
    private static final Map<String, Map<String, String>> OURS = ours();

    private static final Set<String> TABLES =
            OURS.getOrDefault("table", Map.of()).keySet();

    private static final Pattern FIELD_INDEX = Pattern.compile("onto_ix_(entity|relation)_\\w+");

    private static final String ALL = "SELECT type, name, tbl_name, sql FROM main.sqlite_schema WHERE sql IS NOT NULL";

    /** Our tables, and whatever else can run with our statements. */
    private static final String RELEVANT = ALL + " AND type IN ('view', 'trigger', 'table')";

    private static final String GENERATED = "SELECT name FROM pragma_table_xinfo(?) WHERE hidden <> 0";

    private Definitions() {}

    private static Map<String, Map<String, String>> ours() {
        Map<String, Map<String, String>> byKind = new HashMap<>();
        Stream.of(
                        Tables.definitions(),
                        EventTables.definitions(),
                        Digests.definitions(),
                        ErasedRows.definitions(),
                        Features.definitions(),
                        SchemaUpgrades.definitions())
                .flatMap(statements -> statements)
                .map(Definitions::plain)
                .forEach(sql -> {
                    Matcher matcher = DEFINITION.matcher(sql);
                    if (matcher.matches()) {
                        byKind.computeIfAbsent(matcher.group(1), kind -> new HashMap<>())
                                .put(matcher.group(2), sql.replaceFirst("if not exists ", ""));
                    }
                });
        return byKind;
    }

    private static Map<String, String> ours(String kind) {
        return OURS.getOrDefault(kind, Map.of());
    }

    /** One of them. */
    private record Definition(String type, String name, String table, String sql) {
        boolean isOnOurTable() {
            return TABLES.contains(lower(table));
        }

        boolean isForeignTrigger() {
            return type.equals("trigger")
                    && isOnOurTable()
                    && !plain(sql).equals(ours("trigger").get(lower(name)));
        }

        boolean isForeignIndex() {
            return type.equals("index")
                    && isOnOurTable()
                    && !ours("index").containsKey(lower(name))
                    && !FIELD_INDEX.matcher(name).matches();
        }
    }

    /**
     * Refuses a file in which something else stands in the place of our tables, and, for writing, one with triggers of others on
     * them.
     *
     * @throws OntologiaException of kind {@link ErrorKind#CORRUPT}
     */
    static void require(SqlConnection connection, Path file, Connections.Access access) throws SQLException {
        Features.requireKnown(connection, file);
        for (Definition definition : read(connection, RELEVANT)) {
            boolean ours = TABLES.contains(lower(definition.name));
            if (ours && !definition.type.equals("table")) {
                throw refused(file, "'" + definition.name + "' is a " + definition.type + " and not a table");
            }
            if (ours && plain(definition.sql).startsWith("create virtual")) {
                throw refused(file, "'" + definition.name + "' is a virtual table");
            }
            if (ours && mayGenerate(definition.sql)) {
                requireStored(connection, file, definition.name);
            }
            if (access == Connections.Access.WRITE && definition.isForeignTrigger()) {
                throw refused(
                        file,
                        "the trigger '" + definition.name + "' on '" + definition.table
                                + "' would run with every write and is not part of the store");
            }
        }
    }

    /** Without the word AS a table has no generated columns. */
    private static boolean mayGenerate(String sql) {
        return plain(sql).matches("(?s).*\\bas\\b.*");
    }

    private static void requireStored(SqlConnection connection, Path file, String table) throws SQLException {
        try (ResultSet rows = connection.prepare(GENERATED, table).executeQuery()) {
            if (rows.next()) {
                throw refused(
                        file, "the column '" + rows.getString(1) + "' of '" + table + "' is computed, not stored");
            }
        }
    }

    private static OntologiaException refused(Path file, String cause) {
        return new OntologiaException(
                ErrorKind.CORRUPT,
                "cannot open " + file,
                cause,
                "if the file comes from a place that you trust, remove it with the sqlite3 program");
    }

    /** What a check finds. */
    static List<Finding> check(SqlConnection connection) throws SQLException {
        List<Definition> all = read(connection, ALL);
        List<Finding> findings = new ArrayList<>();
        add(
                findings,
                all,
                Definition::isForeignTrigger,
                "foreign-trigger",
                Severity.ERROR,
                "triggers that are not part of the store run when a program writes, and can change or remove history; nothing is"
                        + " written to the file while they are there");
        add(
                findings,
                all,
                definition -> definition.type.equals("trigger") && !definition.isOnOurTable(),
                "foreign-definition",
                Severity.INFO,
                "triggers on tables that are not part of the store; they do not run when Ontologia writes");
        add(
                findings,
                all,
                definition -> definition.type.equals("view"),
                "foreign-view",
                Severity.INFO,
                "views that are not part of the store; Ontologia does not read them");
        add(
                findings,
                all,
                Definition::isForeignIndex,
                "foreign-index",
                Severity.INFO,
                "indexes that are not part of the store; every write updates them, and a unique one can make writes fail");
        return findings;
    }

    private static void add(
            List<Finding> findings,
            List<Definition> all,
            Predicate<Definition> wrong,
            String code,
            Severity severity,
            String message) {
        List<String> names =
                all.stream().filter(wrong).map(Definition::name).sorted().toList();
        if (!names.isEmpty()) {
            findings.add(new Finding(code, severity, message, names.size(), names.get(0)));
        }
    }

    private static List<Definition> read(SqlConnection connection, String sql) throws SQLException {
        List<Definition> definitions = new ArrayList<>();
        try (ResultSet rows = connection.prepare(sql).executeQuery()) {
            while (rows.next()) {
                definitions.add(new Definition(text(rows, 1), text(rows, 2), text(rows, 3), text(rows, 4)));
            }
        }
        return definitions;
    }

    private static String text(ResultSet rows, int column) throws SQLException {
        return SqlErrors.present(rows.getString(column));
    }

    /** The text of a definition with one blank between words, in lower case. */
    static String plain(String sql) {
        return lower(sql.strip().replaceAll("\\s+", " "));
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
