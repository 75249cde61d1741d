package io.ontologia.testkit;

import static io.ontologia.core.Fields.field;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.FieldPath;
import io.ontologia.core.Filter;
import io.ontologia.core.Query;
import io.ontologia.core.RelationType;
import io.ontologia.core.Result;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.TypeSpec;
import io.ontologia.core.TypeSpec.Primitive;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where filters look: keys of any form inside fields, and the ends of relations that do not exist. */
public abstract class FilterPathsContract extends StorageSuite {
    private static final FieldDef ID = FieldDef.of("id", Primitive.STR);
    private static final EntityType PERSON = new EntityType(
            "Person",
            List.of(
                    ID,
                    FieldDef.of("title", TypeSpec.orNull(Primitive.STR)),
                    FieldDef.of("profile", new TypeSpec.DictOf(Primitive.ANY))),
            "id");
    private static final RelationType KNOWS =
            new RelationType("Knows", "Person", "Person", Optional.empty(), List.of());

    private Session session;

    @BeforeEach
    void fill() {
        session = open(PERSON, KNOWS);
        session.ensure(
                person("titled", "Dr", Map.of()),
                person("plain", null, Map.of()),
                new Row.OfRelation("Knows", "titled", "titled", "", Map.of()),
                new Row.OfRelation("Knows", "plain", "plain", "", Map.of()),
                new Row.OfRelation("Knows", "gone", "gone", "", Map.of()));
        session.commit();
    }

    @AfterEach
    final void closeSession() {
        session.close();
    }

    private static Row person(String key, @Nullable String title, Map<String, Object> profile) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("title", title);
        fields.put("profile", profile);
        return new Row.OfEntity("Person", key, fields);
    }

    private List<String> found(Query<Row> query, Filter filter) {
        List<String> found = query.where(filter).results().stream()
                .map(Result::identity)
                .map(Object::toString)
                .toList();
        assertThat(query.where(filter).count()).isEqualTo(found.size());
        return found;
    }

    @ParameterizedTest
    @ValueSource(strings = {"zip-code", "0", "a b", "a.b", "it's", "$", "[0]", "ü", "?", "--", ";", "%s", "#-1"})
    void a_key_inside_a_field_may_have_any_form(String name) {
        session.ensure(
                person("p1", null, Map.of(name, "x", "other", "y")),
                person("p2", null, Map.of(name, "z")),
                person("p3", null, Map.of("other", "x")));
        session.commit();
        FieldPath path = FieldPath.of("profile", name);

        assertThat(found(session.entities("Person"), new Filter.At(path, new Filter.Compare(Filter.Op.EQ, "x"))))
                .containsExactly("p1");
        assertThat(found(session.entities("Person"), new Filter.At(path, new Filter.IsNotNull())))
                .containsExactly("p1", "p2");
        assertThat(FieldPath.parse(path.toString())).isEqualTo(path);
        assertThat(session.entities("Person")
                        .asOf(session.head())
                        .where(field(path.toString()).eq("z"))
                        .list())
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"left.$.title", "right.$.title"})
    void whether_a_value_is_null_is_unknown_where_the_end_does_not_exist(String path) {
        Filter isNull = new Filter.At(FieldPath.parse(path), new Filter.IsNull());
        Filter isNotNull = new Filter.At(FieldPath.parse(path), new Filter.IsNotNull());

        for (Query<Row> query : List.of(
                session.relations("Knows"),
                session.relations("Knows").asOf(session.head()),
                session.relations("Knows").withHistory())) {
            assertThat(found(query, isNull))
                    .hasSize(1)
                    .allSatisfy(row -> assertThat(row).contains("plain"));
            assertThat(found(query, isNotNull))
                    .hasSize(1)
                    .allSatisfy(row -> assertThat(row).contains("titled"));
            assertThat(found(query, isNull.not())).isEqualTo(found(query, isNotNull));
            assertThat(found(query, isNotNull.not())).isEqualTo(found(query, isNull));
        }
    }

    @Test
    void a_path_that_cannot_be_cut_into_keys_is_refused() {
        for (String bad :
                List.of("$.a..b", "$.a.", "$.a.\"b", "$.a.\"b\"c", "$.a.b c", "$.a.\"*\"", "$.0", "$.zip-code")) {
            assertThatThrownBy(() -> FieldPath.parse(bad)).as(bad).hasMessageContaining("invalid path");
        }
    }
}
