package io.ontologia.store.sqlite;

import static io.ontologia.core.Fields.field;
import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Entity;
import io.ontologia.core.Key;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Optional fields of files that the Python implementation wrote. */
class PythonOptionalFieldTest {
    /** What Python 3.11 makes of {@code age: int | None}: the union is no union to it, but a primitive with its text as name. */
    private static final String PRIMITIVE = "{\"kind\":\"primitive\",\"name\":\"int | None\"}";

    private static final String UNION =
            "{\"kind\":\"union\",\"members\":[{\"kind\":\"primitive\",\"name\":\"NoneType\"},"
                    + "{\"kind\":\"primitive\",\"name\":\"int\"}]}";

    record Person(@Key String id, @Nullable Integer age) implements Entity {}

    @TempDir
    Path folder;

    private Session open() {
        return Ontologia.open("sqlite:///" + folder.resolve("onto.db"), SessionOptions.defaults(), Person.class);
    }

    @Test
    void an_optional_field_that_python_registered_is_ours() throws SQLException {
        try (Session session = open()) {
            session.ensure(new Person("a", 1), new Person("b", null));
            session.commit();
        }
        try (ForeignFile file = new ForeignFile(folder.resolve("onto.db"))) {
            for (String table : List.of("schema_versions", "schema_registry")) {
                file.execute("UPDATE " + table + " SET schema_json = replace(schema_json, ?, ?)", UNION, PRIMITIVE);
                assertThat(file.number(
                                "SELECT count(*) FROM " + table + " WHERE instr(schema_json, 'int | None\"}') > 0"))
                        .isEqualTo(1);
            }
            file.commit(
                    "2026-02-10T12:00:00.000000+00:00", null, new Object[] {"Person", "c", "{\"id\":\"c\",\"age\":null}"
                    });
        }

        try (Session session = open()) {
            session.ensure(new Person("d", 4));
            session.commit();
            assertThat(session.entities(Person.class).list())
                    .containsExactly(
                            new Person("a", 1), new Person("b", null), new Person("c", null), new Person("d", 4));
            assertThat(session.entities(Person.class)
                            .where(field(Person::age).gte(2))
                            .list())
                    .containsExactly(new Person("d", 4));
        }
    }
}
