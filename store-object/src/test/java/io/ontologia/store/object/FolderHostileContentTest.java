package io.ontologia.store.object;

import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.Json;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Sha256;
import io.ontologia.testkit.HostileContentContract;
import io.ontologia.testkit.JsonPlaces;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

/** In every document, whose hash of itself is made right again, and in every column of every data file. */
class FolderHostileContentTest extends HostileContentContract {
    private static final String SEAL = "document_sha256";
    private static final String SEAL_OF_VERSION = "document_seal";

    @TempDir
    Path folder;

    private final Map<Path, byte[]> original = new TreeMap<>();

    private Path store() {
        return folder.resolve("store");
    }

    @Override
    protected String newStore() {
        return store().toUri().toString();
    }

    @Override
    protected Map<String, String> settings() {
        return Map.of("cache_dir", folder.resolve("cache").toString());
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(store())) {
            return all.filter(Files::isRegularFile)
                    .filter(path -> !store().relativize(path).startsWith(".onto"))
                    .sorted()
                    .toList();
        }
    }

    @Override
    protected List<Place> places() throws IOException {
        List<Place> places = new ArrayList<>();
        for (Path file : files()) {
            original.put(file, Files.readAllBytes(file));
            String name = store().relativize(file).toString();
            if (name.endsWith(".json")) {
                places.addAll(JsonPlaces.of(name, Json.parse(Files.readAllBytes(file)), tree -> write(file, tree)));
            } else if (name.endsWith(".parquet")) {
                List<String> texts = name.contains("relations/")
                        ? List.of("relation_type", "left_key", "right_key", "instance_key", "fields_json")
                        : List.of("entity_type", "entity_key", "fields_json");
                texts.forEach(column -> places.add(new InFile(name + " " + column, file, column, "")));
                places.add(new InFile(name + " commit_id", file, "commit_id", 0L));
                places.add(new InFile(name + " schema_version_id", file, "schema_version_id", 0L));
            }
        }
        return places;
    }

    /** With its hash of itself made right, as whoever can write the document can. */
    private static void write(Path file, @Nullable Object tree) throws IOException {
        Object sealed = tree;
        try {
            if (tree instanceof Map<?, ?> map) {
                Map<String, @Nullable Object> fields = new LinkedHashMap<>();
                map.forEach((key, value) -> fields.put(String.valueOf(key), value));
                // Documents of other programs have none.
                fields.remove(SEAL_OF_VERSION);
                if (fields.remove(SEAL) != null) {
                    fields.put(SEAL, Sha256.hex(CanonicalJson.bytes(fields)));
                }
                sealed = fields;
            }
            Files.write(file, CanonicalJson.bytes(sealed));
        } catch (OntologiaException e) {
            Files.writeString(file, String.valueOf(tree));
        }
    }

    @Override
    protected void restore() throws IOException {
        for (Path file : files()) {
            if (!original.containsKey(file)) {
                Files.delete(file);
            }
        }
        for (Map.Entry<Path, byte[]> file : original.entrySet()) {
            if (!Files.exists(file.getKey())
                    || Files.size(file.getKey()) != file.getValue().length
                    || Files.mismatch(file.getKey(), copy(file.getValue())) >= 0) {
                Files.createDirectories(file.getKey().getParent());
                Files.write(file.getKey(), file.getValue());
            }
        }
    }

    private Path copy(byte[] bytes) throws IOException {
        return Files.write(folder.resolve("copy"), bytes);
    }

    /** A column of a data file, in all its rows. */
    private final class InFile implements Place {
        private final String name;
        private final Path file;
        private final String column;
        private final Object content;

        InFile(String name, Path file, String column, Object content) {
            this.name = name;
            this.file = file;
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
        public void plant(@Nullable Object value) throws SQLException, IOException {
            String before = Sha256.hex(file);
            Path changed = folder.resolve("changed.parquet");
            String literal = value instanceof Long
                    ? "CAST('" + value + "' AS BIGINT)"
                    : "'" + String.valueOf(value).replace("'", "''").replace("\0", "") + "'";
            try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                    Statement statement = connection.createStatement()) {
                statement.execute("COPY (SELECT * REPLACE (" + literal + " AS " + column + ") FROM read_parquet('"
                        + file + "')) TO '" + changed + "' (FORMAT parquet)");
            }
            Files.write(file, Files.readAllBytes(changed));
            Files.delete(changed);
            String after = Sha256.hex(file);
            for (Path document : files()) {
                String text = new String(Files.readAllBytes(document), StandardCharsets.ISO_8859_1);
                if (document.toString().endsWith(".json") && text.contains(before)) {
                    write(document, Json.parse(text.replace(before, after)));
                }
            }
        }
    }
}
