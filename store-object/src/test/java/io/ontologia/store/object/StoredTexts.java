package io.ontologia.store.object;

import io.ontologia.objectstore.ListPage;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectSummary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Looks for a text in the bytes of objects and files, and in the values of Parquet files, whose pages are compressed. */
final class StoredTexts {
    private StoredTexts() {}

    /** The objects of a store that hold a text. */
    static List<String> in(ObjectStore store, String text) {
        List<String> found = new ArrayList<>();
        ListRequest request = ListRequest.of("");
        while (true) {
            ListPage page = store.list(request);
            for (ObjectSummary object : page.objects()) {
                byte[] bytes = store.get(object.key()).orElseThrow().bytes();
                if (object.key().contains(text) || holds(bytes, text)) {
                    found.add(object.key());
                }
            }
            if (page.next().isEmpty()) {
                return found;
            }
            request = request.continueAt(page.next().get());
        }
    }

    /** The files below a folder that hold a text. */
    static List<String> in(Path folder, String text) {
        List<String> found = new ArrayList<>();
        if (!Files.exists(folder)) {
            return found;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (holds(Files.readAllBytes(file), text)) {
                    found.add(file.toString());
                }
            }
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean holds(byte[] bytes, String text) {
        String plain = new String(bytes, StandardCharsets.ISO_8859_1);
        return plain.contains(text) || (plain.startsWith("PAR1") && parquetHolds(bytes, text));
    }

    private static boolean parquetHolds(byte[] bytes, String text) {
        try {
            Path file = Files.createTempFile("stored-texts", ".parquet");
            try {
                Files.write(file, bytes);
                try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                        PreparedStatement statement = connection.prepareStatement("SELECT count(*) FROM read_parquet('"
                                + file + "') rows" + " WHERE contains(CAST(rows AS VARCHAR), ?)")) {
                    statement.setString(1, text);
                    try (ResultSet found = statement.executeQuery()) {
                        found.next();
                        return found.getLong(1) > 0;
                    }
                }
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
