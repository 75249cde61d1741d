package io.ontologia.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.FieldPath;
import io.ontologia.core.Filter;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Result;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeSpec;
import io.ontologia.core.spi.FilterEvaluator;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.Json;
import io.ontologia.testkit.FilterCases;
import io.ontologia.testkit.Seeds;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Filters mean the same in SQLite and in this process: 1,000 runs of 10 documents and 10 filters. */
class FilterDifferentialIT {
    private static final Model MODEL = Model.of(new EntityType(
            "Thing",
            List.of(
                    FieldDef.of("id", TypeSpec.Primitive.STR),
                    FieldDef.of("a", TypeSpec.Primitive.ANY).withIndex().withDefault(null),
                    FieldDef.of("b", TypeSpec.Primitive.ANY).withDefault(null),
                    FieldDef.of("c", TypeSpec.Primitive.ANY).withDefault(null),
                    FieldDef.of("list", TypeSpec.Primitive.ANY).withDefault(null)),
            "id"));

    @Test
    void a_filter_finds_the_same_rows_in_sqlite_and_in_process() {
        try (Session session = Ontologia.open("sqlite::memory:", SessionOptions.defaults(), MODEL)) {
            Seeds.forEach("filters", 1_000, random -> {
                Map<String, Map<String, @Nullable Object>> documents = new TreeMap<>();
                for (int i = 0; i < 10; i++) {
                    documents.put("k" + i, FilterCases.document(random));
                }
                documents.forEach((key, fields) -> session.ensure(new Row.OfEntity("Thing", key, fields)));
                session.commit();

                for (int i = 0; i < 10; i++) {
                    Filter filter = FilterCases.filter(random, 3, List.of(FieldPath.Scope.SELF));

                    List<String> found = keys(session, filter);

                    assertThat(found)
                            .as("%s over %s", filter, documents)
                            .isEqualTo(documents.entrySet().stream()
                                    .filter(one -> FilterEvaluator.passes(filter, stored(one.getValue())))
                                    .map(Map.Entry::getKey)
                                    .toList());
                }
            });
        }
    }

    private static List<String> keys(Session session, Filter filter) {
        try (Stream<Result<Row>> found = session.entities("Thing").where(filter).resultStream()) {
            return found.map(result -> result.identity().toString()).toList();
        }
    }

    @SuppressWarnings("unchecked") // a JSON object has text keys
    private static Map<String, @Nullable Object> stored(Map<String, @Nullable Object> fields) {
        return (Map<String, @Nullable Object>)
                java.util.Objects.requireNonNull(Json.parse(CanonicalJson.write(fields)));
    }
}
