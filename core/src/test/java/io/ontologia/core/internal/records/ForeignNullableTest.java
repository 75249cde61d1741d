package io.ontologia.core.internal.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.Entity;
import io.ontologia.core.Key;
import io.ontologia.core.TypeSpec;
import io.ontologia.kernel.OntologiaException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Annotations called {@code Nullable} of other libraries, which say it in other places. */
@NullUnmarked
class ForeignNullableTest {
    private static final TypeSpec TEXT_OR_NULL = TypeSpec.orNull(TypeSpec.Primitive.STR);

    /** As older libraries have it: on declarations, kept at run time. */
    static final class OnFields {
        @Retention(RetentionPolicy.RUNTIME)
        @Target(ElementType.FIELD)
        @interface Nullable {}
    }

    static final class OnMethods {
        @Retention(RetentionPolicy.RUNTIME)
        @Target(ElementType.METHOD)
        @interface Nullable {}
    }

    static final class OnParameters {
        @Retention(RetentionPolicy.RUNTIME)
        @Target(ElementType.PARAMETER)
        @interface Nullable {}
    }

    static final class OnComponents {
        @Retention(RetentionPolicy.RUNTIME)
        @Target(ElementType.RECORD_COMPONENT)
        @interface Nullable {}
    }

    static final class InClassFiles {
        @Retention(RetentionPolicy.CLASS)
        @Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER})
        @interface Nullable {}
    }

    record Declared(
            @Key String id,
            @OnFields.Nullable String onField,
            @OnMethods.Nullable String onMethod,
            @OnParameters.Nullable String onParameter,
            @OnComponents.Nullable String onComponent,
            String never)
            implements Entity {}

    record Unseen(@Key String id, @InClassFiles.Nullable String note) implements Entity {}

    @Test
    void an_annotation_on_the_declaration_allows_null() {
        RecordBinding<Declared> binding = RecordBinding.of(Declared.class);

        for (String field : new String[] {"on_field", "on_method", "on_parameter", "on_component"}) {
            assertThat(binding.type().field(field).orElseThrow().type())
                    .as(field)
                    .isEqualTo(TEXT_OR_NULL);
        }
        assertThat(binding.type().field("never").orElseThrow().type()).isEqualTo(TypeSpec.Primitive.STR);
        Declared empty = new Declared("a", null, null, null, null, "x");
        assertThat(binding.hydrate(binding.identityOf(empty), Map.of("never", "x")))
                .isEqualTo(empty);
    }

    @Test
    void where_none_is_kept_at_run_time_the_error_names_one_that_is() {
        RecordBinding<Unseen> binding = RecordBinding.of(Unseen.class);

        assertThatThrownBy(() -> binding.fieldsOf(new Unseen("a", null)))
                .isInstanceOf(OntologiaException.class)
                .hasMessageContaining("field 'note' is null")
                .hasMessageContaining("org.jspecify.annotations.Nullable");
    }
}
