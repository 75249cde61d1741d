package io.ontologia.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.internal.PlanToken;
import io.ontologia.kernel.CanonicalJson;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SchemaDiffPlanTest {
    /** As the reference implementation writes it. */
    private static final String STORED = """
            {"entity_name": "Customer", "fields": {
              "id": {"primary_key": true, "index": false, "type": "<class 'str'>",
                     "type_spec": {"kind": "primitive", "name": "str"}},
              "name": {"primary_key": false, "index": false, "type": "<class 'str'>",
                     "type_spec": {"kind": "primitive", "name": "str"}},
              "age": {"primary_key": false, "index": false, "type": "<class 'int'>",
                     "type_spec": {"kind": "primitive", "name": "int"}}}}""";

    private static SchemaDiff diff(FieldDef... fields) {
        SchemaVersion stored = new SchemaVersion(
                TypeRef.entity("Customer"), 3, STORED, "", Instant.EPOCH, Optional.empty(), Optional.empty());
        return SchemaDiff.between(stored, new EntityType("Customer", List.of(fields), "id"))
                .orElseThrow();
    }

    private static final FieldDef ID = FieldDef.of("id", Primitive.STR);
    private static final FieldDef NAME = FieldDef.of("name", Primitive.STR);
    private static final FieldDef AGE = FieldDef.of("age", Primitive.INT);

    @Test
    void the_token_of_a_plan_is_the_one_that_the_reference_implementation_makes() {
        SchemaDiff diff = diff(
                ID,
                FieldDef.of("last", Primitive.STR),
                FieldDef.of("first", Primitive.STR),
                FieldDef.of("age", Primitive.FLOAT));

        assertThat(PlanToken.of(List.of(diff.toJson()), 41))
                .isEqualTo("OWVmZWVjZDRkNWJkNGZmOTBlYzExNmNmYzUyZTI5MWIyYzExMTY4NTgxMTVhZmQ1Yzc5ZjJmMTk2OWU1OGU2Mjo0MQ"
                        + "==");
        assertThat(PlanToken.of(List.of(diff.toJson()), 0))
                .isEqualTo("OWVmZWVjZDRkNWJkNGZmOTBlYzExNmNmYzUyZTI5MWIyYzExMTY4NTgxMTVhZmQ1Yzc5ZjJmMTk2OWU1OGU2Mjpub2"
                        + "5l");
        assertThat(PlanToken.of(List.of(), 0))
                .isEqualTo("NGY1M2NkYTE4YzJiYWEwYzAzNTRiYjVmOWEzZWNiZTVlZDEyYWI0ZDhlMTFiYTg3M2MyZjExMTYxMjAyYjk0NTpub2"
                        + "5l");
    }

    @Test
    void only_index_hints_differ_when_nothing_else_does() {
        assertThat(diff(ID, NAME.withIndex(), AGE).isIndexOnly()).isTrue();
        assertThat(diff(ID, NAME.withIndex(), FieldDef.of("age", Primitive.FLOAT))
                        .isIndexOnly())
                .isFalse();
        assertThat(diff(ID, NAME.withIndex()).isIndexOnly()).isFalse();
        assertThat(diff(ID, NAME.withIndex(), AGE, FieldDef.of("more", Primitive.STR))
                        .isIndexOnly())
                .isFalse();
    }

    @Test
    void a_changed_end_of_a_relation_is_more_than_an_index_hint() {
        RelationType before = new RelationType("Job", "Person", "Company", Optional.empty(), List.of());
        RelationType after = new RelationType("Job", "Person", "Firm", Optional.empty(), List.of());
        SchemaVersion stored = new SchemaVersion(
                before.ref(),
                1,
                CanonicalJson.writeAscii(before.document()),
                before.schemaHash(),
                Instant.EPOCH,
                Optional.empty(),
                Optional.empty());

        SchemaDiff diff = SchemaDiff.between(stored, after).orElseThrow();

        assertThat(diff.changed()).containsOnlyKeys("__right_type__");
        assertThat(diff.isIndexOnly()).isFalse();
    }
}
