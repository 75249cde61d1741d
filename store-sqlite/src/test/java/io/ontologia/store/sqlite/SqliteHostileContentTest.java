package io.ontologia.store.sqlite;

import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.Json;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.testkit.HostileContentContract;
import io.ontologia.testkit.JsonPlaces;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

/** In every column of every table, and inside of every JSON text. */
class SqliteHostileContentTest extends HostileContentContract {
    @TempDir
    Path folder;

    private byte[] original = {};

    private Path file() {
        return folder.resolve("store.db");
    }

    @Override
    protected String newStore() {
        return "sqlite:///" + file();
    }

    @Override
    protected List<Place> places() throws SQLException, IOException {
        List<Place> places = new ArrayList<>();
        try (Connection connection = connect()) {
            for (String table : column(connection, "SELECT name FROM sqlite_master WHERE type = 'table'")) {
                for (String column : column(connection, "SELECT name FROM pragma_table_info('" + table + "')")) {
                    add(connection, table, column, places);
                }
            }
            column(connection, "PRAGMA wal_checkpoint(TRUNCATE)");
        }
        original = Files.readAllBytes(file());
        return places;
    }

    private void add(Connection connection, String table, String column, List<Place> places) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT " + column + " FROM " + table + " WHERE " + column + " IS NOT NULL LIMIT 1")) {
            if (!rows.next()) {
                return;
            }
            Object value = rows.getObject(1);
            places.add(new InColumn(
                    table + "." + column, table, column, value instanceof Number n ? n : rows.getString(1)));
            if (value instanceof String text && text.startsWith("{")) {
                places.addAll(JsonPlaces.of(
                        table + "." + column, Json.parse(text), tree -> update(table, column, text(tree))));
            }
        }
    }

    /** As text, because our writer refuses what a hostile one would not. */
    private static String text(@Nullable Object tree) {
        try {
            return CanonicalJson.write(tree);
        } catch (OntologiaException e) {
            return "{}";
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + file());
    }

    private static List<String> column(Connection connection, String sql) throws SQLException {
        List<String> values = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                values.add(rows.getString(1));
            }
        }
        return values;
    }

    /** Puts a value into one row. */
    private void update(String table, String column, @Nullable Object value) throws SQLException {
        try (Connection connection = connect();
                PreparedStatement statement = connection.prepareStatement("UPDATE OR IGNORE " + table + " SET " + column
                        + " = ? WHERE " + column + " = (SELECT " + column + " FROM " + table + " WHERE " + column
                        + " IS NOT NULL LIMIT 1)")) {
            statement.setObject(1, value instanceof Long || value instanceof Double ? value : String.valueOf(value));
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
    protected void restore() throws IOException {
        for (String suffix : List.of("-wal", "-shm", ".head", "-journal")) {
            Files.deleteIfExists(folder.resolve("store.db" + suffix));
        }
        Files.write(file(), original);
    }

    private final class InColumn implements Place {
        private final String name;
        private final String table;
        private final String column;
        private final Object content;

        InColumn(String name, String table, String column, Object content) {
            this.name = name;
            this.table = table;
            this.column = column;
            this.content = content;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Object content() {
            return content;
        }

        @Override
        public void plant(@Nullable Object value) throws SQLException {
            update(table, column, value);
        }
    }
}
