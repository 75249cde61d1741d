package io.ontologia.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.Cascade;
import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Row;
import io.ontologia.core.RowRef;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeSpec;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a file says that it uses beyond the specified format. */
class FeaturesTest {
    private static final Model NOTES =
            Model.of(new EntityType("Note", List.of(FieldDef.of("id", TypeSpec.Primitive.STR)), "id"));

    @TempDir
    Path folder;

    private Session open() {
        return Ontologia.open("sqlite:///" + folder.resolve("onto.db"), SessionOptions.defaults(), NOTES);
    }

    private String one(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("onto.db"));
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? String.valueOf(rows.getString(1)) : "";
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("onto.db"));
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    @Test
    void a_file_declares_retractions_with_the_first_row_that_ends() throws SQLException {
        String declared = "SELECT group_concat(name) FROM sqlite_schema WHERE name IN"
                + " ('onto_requires_retractions', 'onto_relation_ended')";
        try (Session session = open()) {
            session.ensure(new Row.OfEntity("Note", "a", Map.of()));
            session.commit();
            session.retract(Cascade.NONE, RowRef.entity("Note", "unknown"));
            session.commit();
            assertThat(one(declared)).isEqualTo("null");

            session.retract(Cascade.NONE, RowRef.entity("Note", "a"));
            session.preview();
            assertThat(one(declared)).isEqualTo("null");
            session.commit();
        }

        assertThat(one(declared)).contains("onto_requires_retractions").contains("onto_relation_ended");
        assertThat(one("SELECT fields_json FROM entity_history ORDER BY id DESC"))
                .isEqualTo("null");
        assertThat(one("SELECT count(*) FROM onto_entity_latest")).isEqualTo("0");
        try (Session again = open()) {
            assertThat(again.entities("Note").count()).isZero();
        }
    }

    @Test
    void an_unknown_feature_refuses_opening_and_is_named() throws SQLException {
        open().close();
        execute("CREATE TRIGGER onto_requires_teleportation BEFORE DELETE ON onto_latest_state BEGIN SELECT 1; END");

        assertThatThrownBy(this::open)
                .hasMessageContaining("the store uses the feature 'teleportation', which this version does not know")
                .hasMessageContaining("newer version");
    }
}
