package io.ontologia.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UpgradersTest {
    private static final TypeRef CUSTOMER = TypeRef.entity("Customer");

    public static final class Marked {
        private Marked() {}

        @Upgrades(type = "Customer", from = 1)
        public static Map<String, @Nullable Object> addTier(Map<String, @Nullable Object> fields) {
            fields.put("tier", "none");
            return fields;
        }

        @Upgrades(kind = TypeKind.RELATION, type = "Buys", from = 4)
        public static Map<String, @Nullable Object> fail(Map<String, @Nullable Object> fields) {
            throw new IllegalStateException("failed on purpose");
        }
    }

    public static final class WronglyMarked {
        private WronglyMarked() {}

        @Upgrades(type = "Customer", from = 1)
        public static String wrong(Map<String, @Nullable Object> fields) {
            return fields.toString();
        }
    }

    private static Upgrader appending(long from, String letter) {
        return Upgrader.entity("Customer", from, fields -> {
            fields.put("path", fields.get("path") + letter);
            return fields;
        });
    }

    private static Map<String, @Nullable Object> start() {
        return new HashMap<>(Map.of("path", "-"));
    }

    @Test
    void upgraders_run_one_after_the_other_from_version_to_version() {
        Upgraders upgraders = Upgraders.of(appending(3, "c"), appending(1, "a"), appending(2, "b"));

        assertThat(upgraders.upgrade(CUSTOMER, 1, 4, start())).isEqualTo(Map.of("path", "-abc"));
        assertThat(upgraders.upgrade(CUSTOMER, 2, 3, start())).isEqualTo(Map.of("path", "-b"));
        assertThat(upgraders.upgrade(CUSTOMER, 4, 4, start())).isEqualTo(start());
    }

    @Test
    void every_missing_upgrader_is_named() {
        Upgraders upgraders = Upgraders.of(appending(2, "b"));

        assertThat(upgraders.missing(CUSTOMER, 1, 4)).containsExactly(1L, 3L);
        assertThatThrownBy(() -> upgraders.upgrade(CUSTOMER, 1, 4, start()))
                .isInstanceOfSatisfying(
                        MissingUpgradersException.class,
                        e -> assertThat(e.missing()).isEqualTo(Map.of(CUSTOMER, List.of(1L, 3L))));
    }

    @Test
    void two_upgraders_for_one_version_are_refused() {
        assertThatThrownBy(() -> Upgraders.of(appending(1, "a"), appending(1, "b")))
                .isInstanceOfSatisfying(OntologiaException.class, e -> {
                    assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_INPUT);
                    assertThat(e).hasMessageContaining("version 1 of entity Customer");
                });
    }

    @Test
    void an_entity_and_a_relation_type_of_one_name_are_two_types() {
        Upgraders upgraders = Upgraders.of(appending(1, "a"), Upgrader.relation("Customer", 1, fields -> fields));

        assertThat(upgraders.upgrade(TypeRef.relation("Customer"), 1, 2, start()))
                .isEqualTo(start());
    }

    @Test
    void an_upgrader_starts_from_a_version_that_can_exist() {
        assertThatThrownBy(() -> appending(0, "a")).isInstanceOf(OntologiaException.class);
    }

    @Test
    void an_upgrader_must_return_something() {
        @SuppressWarnings("NullAway") // on purpose: this is what a careless upgrader does
        Upgraders upgraders = Upgraders.of(Upgrader.entity("Customer", 1, fields -> null));

        assertThatThrownBy(() -> upgraders.upgrade(CUSTOMER, 1, 2, start()))
                .isInstanceOf(OntologiaException.class)
                .hasMessageContaining("returned null");
    }

    @Test
    void marked_methods_are_upgraders() {
        Upgraders upgraders = Upgraders.ofMethods(Marked.class);

        assertThat(upgraders.upgrade(CUSTOMER, 1, 2, start())).isEqualTo(Map.of("path", "-", "tier", "none"));
        assertThatThrownBy(() -> upgraders.upgrade(TypeRef.relation("Buys"), 4, 5, start()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("failed on purpose");
    }

    @Test
    void methods_that_cannot_be_upgraders_are_named() {
        assertThatThrownBy(() -> Upgraders.ofMethods(WronglyMarked.class))
                .isInstanceOf(OntologiaException.class)
                .hasMessageContaining("wrong(");
        assertThatThrownBy(() -> Upgraders.ofMethods(String.class))
                .isInstanceOf(OntologiaException.class)
                .hasMessageContaining("java.lang.String");
    }
}
