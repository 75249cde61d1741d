package io.ontologia.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.OntologyType;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeSpec.Primitive;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ManyTypesTest {
    private static final int TYPES = 2_000;

    @TempDir
    Path folder;

    private static EntityType type(int number) {
        return new EntityType(
                "T" + number,
                List.of(
                        FieldDef.of("id", Primitive.STR),
                        FieldDef.of("v", Primitive.STR).withIndex()),
                "id");
    }

    @Test
    void each_of_many_types_gets_its_index() throws SQLException {
        Path file = folder.resolve("onto.db");
        OntologyType[] types =
                IntStream.range(0, TYPES).mapToObj(ManyTypesTest::type).toArray(OntologyType[]::new);

        try (Session session = Ontologia.open("sqlite:///" + file, SessionOptions.defaults(), Model.of(types))) {
            assertThat(session.types()).hasSize(TYPES);
        }

        try (Connection raw = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = raw.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT count(*), count(DISTINCT substr(sql, instr(sql, ' WHERE '))) FROM sqlite_master WHERE name GLOB 'onto_ix_*'")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getInt(1)).isEqualTo(TYPES);
            assertThat(rows.getInt(2)).isEqualTo(TYPES);
        }
    }
}
