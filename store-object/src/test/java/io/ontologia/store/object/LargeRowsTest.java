package io.ontologia.store.object;

import static io.ontologia.core.Fields.field;
import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Progress;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeSpec.Primitive;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rows with many fields and with long texts, with the memory that the engine has by default. */
class LargeRowsTest {
    private static final int FIELDS = 4_000;

    @Test
    void rows_of_four_thousand_fields_are_stored_and_found() {
        List<FieldDef> fields = new ArrayList<>(List.of(FieldDef.of("id", Primitive.STR)));
        for (int i = 0; i < FIELDS; i++) {
            fields.add(FieldDef.of("f" + i, i % 2 == 0 ? Primitive.STR : Primitive.INT));
        }
        try (Session session =
                Ontologia.open("memory:", SessionOptions.defaults(), Model.of(new EntityType("Wide", fields, "id")))) {
            for (int commit = 0; commit < 2; commit++) {
                session.ensure(wide("a", commit), wide("b", commit + 10));
                session.commit();
                assertThat(session.entities("Wide").list()).hasSize(2);
                for (String path : List.of("$.f1", "$.f" + (FIELDS - 1))) {
                    assertThat(session.entities("Wide").where(field(path).gt(5)).list())
                            .containsExactly(wide("b", commit + 10));
                }
                assertThat(session.find("Wide", "a")).contains(wide("a", commit));
            }
            session.storage().upkeep().orElseThrow().compact(Optional.empty(), "operator", Progress.none());
            assertThat(session.entities("Wide").withHistory().list()).hasSize(4);
        }
    }

    private static Row wide(String key, long value) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("id", key);
        for (int i = 0; i < FIELDS; i++) {
            fields.put("f" + i, i % 2 == 0 ? (Object) ("text " + value) : (Object) value);
        }
        return new Row.OfEntity("Wide", key, fields);
    }

    @Test
    void a_text_of_fifty_megabytes_is_stored_and_found() {
        String text = "x".repeat(50 << 20);
        EntityType type = new EntityType(
                "Text", List.of(FieldDef.of("id", Primitive.STR), FieldDef.of("body", Primitive.STR)), "id");
        try (Session session = Ontologia.open("memory:", SessionOptions.defaults(), Model.of(type))) {
            session.ensure(text("long", text), text("short", "x"));
            session.commit();

            assertThat(session.find("Text", "short")).contains(text("short", "x"));
            Row found = session.find("Text", "long").orElseThrow();
            assertThat(String.valueOf(found.fields().get("body")).length()).isEqualTo(text.length());
            assertThat(session.entities("Text").count()).isEqualTo(2);
        }
    }

    private static Row text(String key, String body) {
        return new Row.OfEntity("Text", key, Map.of("id", key, "body", body));
    }
}
