package io.ontologia.testkit;

import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.Json;
import io.ontologia.kernel.OntologiaException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Every column of every row of every table of a SQLite file, and everything inside of JSON texts. */
public final class HostileSqlite implements HostileStore {
    private static final List<String> COMPANIONS = List.of("-wal", "-shm", "-head", "-journal");

    private final Path file;
    private final byte[] original;

    /** Takes the file as it is now; no other program may have it open. */
    public HostileSqlite(Path file) throws SQLException, IOException {
        this.file = file;
        try (Connection connection = connect()) {
            strings(connection, "PRAGMA wal_checkpoint(TRUNCATE)");
        }
        this.original = Files.readAllBytes(file);
    }

    /** One value: a column of the row with a certain primary key or row id. */
    private record Cell(String table, String column, String condition, List<Object> key) {
        String name() {
            return table + "." + column + " of " + key;
        }
    }

    @Override
    public List<Place> places() throws SQLException {
        List<Place> places = new ArrayList<>();
        try (Connection connection = connect()) {
            for (String table : strings(connection, "SELECT name FROM sqlite_master WHERE type = 'table'")) {
                add(connection, table, places);
            }
        }
        return places;
    }

    private void add(Connection connection, String table, List<Place> places) throws SQLException {
        List<String> columns = strings(connection, "SELECT name FROM pragma_table_info('" + table + "')");
        boolean hasRowId = strings(connection, "SELECT wr FROM pragma_table_list('" + table + "')")
                .contains("0");
        List<String> key = hasRowId
                ? List.of("rowid")
                : strings(connection, "SELECT name FROM pragma_table_info('" + table + "') WHERE pk > 0");
        String condition = key.stream().map(name -> name + " = ?").collect(Collectors.joining(" AND "));
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT *, " + String.join(", ", key) + " FROM " + table)) {
            while (rows.next()) {
                List<Object> values = new ArrayList<>();
                for (int i = 0; i < key.size(); i++) {
                    values.add(rows.getObject(columns.size() + 1 + i));
                }
                for (int i = 0; i < columns.size(); i++) {
                    Object value = rows.getObject(i + 1);
                    if (value != null) {
                        add(new Cell(table, columns.get(i), condition, values), value, places);
                    }
                }
            }
        }
    }

    private void add(Cell cell, Object value, List<Place> places) {
        places.add(new InCell(cell, value instanceof Number ? value : String.valueOf(value)));
        if (value instanceof String text && (text.startsWith("{") || text.startsWith("["))) {
            places.addAll(JsonPlaces.of(cell.name(), Json.parse(text), tree -> update(cell, text(tree))));
        }
    }

    /** The text of a document; empty for what no writer of JSON writes. */
    private static String text(@Nullable Object tree) {
        try {
            return HostileValues.withNaN(CanonicalJson.write(tree));
        } catch (OntologiaException e) {
            return "";
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + file);
    }

    private static List<String> strings(Connection connection, String sql) throws SQLException {
        List<String> values = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                values.add(rows.getString(1));
            }
        }
        return values;
    }

    private void update(Cell cell, @Nullable Object value) throws SQLException {
        try (Connection connection = connect();
                Statement settings = connection.createStatement();
                PreparedStatement statement = connection.prepareStatement("UPDATE OR IGNORE " + cell.table() + " SET "
                        + cell.column() + " = ? WHERE " + cell.condition())) {
            settings.execute("PRAGMA synchronous = OFF");
            statement.setObject(1, value instanceof Long || value instanceof Double ? value : String.valueOf(value));
            for (int i = 0; i < cell.key().size(); i++) {
                statement.setObject(i + 2, cell.key().get(i));
            }
            statement.executeUpdate();
        } catch (SQLException e) {
            // SQLite itself does not store it there, for example a text as the number of a row.
            String message = String.valueOf(e.getMessage());
            if (!message.contains("SQLITE_MISMATCH") && !message.contains("SQLITE_CONSTRAINT")) {
                throw e;
            }
        }
    }

    @Override
    public void restore() throws IOException {
        for (String suffix : COMPANIONS) {
            Files.deleteIfExists(file.resolveSibling(file.getFileName() + suffix));
        }
        Files.write(file, original);
    }

    private final class InCell implements Place {
        private final Cell cell;
        private final Object content;

        InCell(Cell cell, Object content) {
            this.cell = cell;
            this.content = content;
        }

        @Override
        public String name() {
            return cell.name();
        }

        @Override
        public Object content() {
            return content;
        }

        @Override
        public void plant(@Nullable Object value) throws SQLException {
            update(cell, value);
        }
    }
}
