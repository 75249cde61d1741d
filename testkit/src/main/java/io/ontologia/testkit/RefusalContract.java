package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.Entity;
import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Indexed;
import io.ontologia.core.Key;
import io.ontologia.core.Model;
import io.ontologia.core.Named;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeRef;
import io.ontologia.core.TypeSpec;
import io.ontologia.core.spi.SchemaOutdatedException;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.testkit.Shop.Customer;
import io.ontologia.testkit.Shop.Subscription;
import io.ontologia.testkit.Shop.Visit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a store refuses, and that nothing has changed when it does. */
public abstract class RefusalContract extends OntologySuite {
    private static final Customer ALICE = Customer.of("c1", "Gold", 32);

    /** As {@link Shop.Product}, with one field less. */
    @Named("Product")
    record SmallerProduct(@Key String sku, String name) implements Entity {}

    /** As {@link Shop.Maker}, with an index. */
    @Named("Maker")
    record IndexedMaker(@Key String name, @Indexed String country) implements Entity {}

    @Test
    void what_is_no_row_of_a_known_type_is_refused() {
        Session session = open(Customer.class);

        assertFails(ErrorKind.INVALID_INPUT, "java.lang.String", () -> session.ensure("text"));
        assertFails(ErrorKind.INVALID_INPUT, "opened without it", () -> session.ensure(new Shop.Maker("m", "IT")));
        assertFails(
                ErrorKind.NOT_FOUND,
                "unknown entity Custommer",
                () -> session.ensure(new Row.OfEntity("Custommer", "c1", Map.of())));
        assertFails(ErrorKind.NOT_FOUND, "known are Customer", () -> session.entities("Nothing"));
        assertFails(ErrorKind.NOT_FOUND, "unknown relation Customer", () -> session.relations("Customer"));
        assertFails(ErrorKind.INVALID_INPUT, "opened without it", () -> session.entities(Shop.Maker.class));
        assertThat(session.pending()).isZero();
    }

    @Test
    void blank_keys_and_keys_with_a_nul_character_are_refused() {
        Session session = open();

        for (String bad : List.of("", " ", "\n", "a\0", "\uD83D")) {
            assertFails(ErrorKind.INVALID_INPUT, "invalid key", () -> session.ensure(Customer.of(bad, "x", 1)));
            assertFails(
                    ErrorKind.INVALID_INPUT,
                    "invalid left key",
                    () -> session.ensure(new Subscription(bad, "p", 1, true)));
            assertFails(
                    ErrorKind.INVALID_INPUT,
                    "invalid right key",
                    () -> session.ensure(new Subscription("c", bad, 1, true)));
            assertFails(
                    ErrorKind.INVALID_INPUT, "invalid instance key", () -> session.ensure(new Visit("c", "m", bad, 1)));
            assertFails(
                    ErrorKind.INVALID_INPUT,
                    "invalid key",
                    () -> session.ensure(new Row.OfEntity("Customer", bad, Map.of())));
        }
        assertThat(session.pending()).isZero();
    }

    @Test
    void texts_with_a_nul_character_are_refused_wherever_they_are() {
        Session shop = open();
        Session things = openThings();

        assertFails(ErrorKind.INVALID_INPUT, "NUL", () -> shop.ensure(Customer.of("c1", "a\0b", 1)));
        assertFails(ErrorKind.INVALID_INPUT, "NUL", () -> shop.ensure(ALICE.tagged("\0")));
        assertFails(ErrorKind.INVALID_INPUT, "NUL", () -> shop.ensure(ALICE.livingIn("\0Rome")));
        assertFails(ErrorKind.INVALID_INPUT, "NUL", () -> things.ensure(thing("t", "v", List.of("a\0b"))));
        assertFails(ErrorKind.INVALID_INPUT, "NUL", () -> things.ensure(thing("t", "v", Map.of("a\0b", 1L))));
        assertThat(shop.pending() + things.pending()).isZero();
    }

    @Test
    void a_text_that_only_looks_like_an_escaped_nul_character_is_none() {
        Session session = openThings();

        commit(session, thing("t", "v", "\\u0000", "w", "\\\\u0000"));

        assertThat(session.find("Thing", "t").map(row -> row.fields().get("v"))).contains("\\u0000");
    }

    @Test
    void values_that_json_cannot_hold_are_refused() {
        Session session = openThings();

        for (Object bad : List.of(Double.NaN, Double.POSITIVE_INFINITY, "half \uD83D", Thread.currentThread())) {
            assertFails(ErrorKind.INVALID_INPUT, "", () -> session.ensure(thing("t", "v", bad)));
        }
        assertThat(session.pending()).isZero();
    }

    @Test
    void a_row_that_does_not_fit_its_type_is_refused_with_every_problem() {
        Session session = open();

        assertFails(
                ErrorKind.INVALID_INPUT,
                "field 'name' is missing; field 'tier' is a number and not <class 'str'>; field 'age' is missing;"
                        + " there is no field 'nickname'",
                () -> session.ensure(new Row.OfEntity("Customer", "c1", Map.of("tier", 1L, "nickname", "Al"))));
        assertThat(session.pending()).isZero();
    }

    @Test
    void what_came_before_a_refused_row_stays_pending() {
        Session session = open();

        assertFails(
                ErrorKind.INVALID_INPUT,
                "blank",
                () -> session.ensureAll(List.of(ALICE, Customer.of(" ", "x", 1), Customer.of("c3", "x", 1))));

        assertThat(session.pending()).isEqualTo(1);
        session.commit();
        assertThat(session.entities(Customer.class).list()).containsExactly(ALICE);
    }

    @Test
    void more_rows_than_a_batch_holds_are_refused_and_the_batch_can_still_be_committed() {
        Session session = keep(Ontologia.open(uri(), options().maxBatchSize(2), Shop.TYPES));
        session.ensure(ALICE, Customer.of("c2", "x", 1));

        assertFails(ErrorKind.INVALID_INPUT, "max_batch_size", () -> session.ensure(Customer.of("c3", "x", 1)));
        session.ensure(Customer.of("c2", "y", 1));

        assertThat(session.pending()).isEqualTo(2);
        session.commit();
        assertThat(session.entities(Customer.class).list()).containsExactly(ALICE, Customer.of("c2", "y", 1));
        session.ensure(Customer.of("c3", "x", 1), Customer.of("c4", "x", 1));
        assertThat(committed(session.commit())).isEqualTo(2);
    }

    @Test
    void session_options_are_checked() {
        assertFails(
                ErrorKind.INVALID_INPUT,
                "max_batch_size",
                () -> SessionOptions.defaults().maxBatchSize(0));
        assertFails(
                ErrorKind.INVALID_INPUT,
                "runtime_id",
                () -> SessionOptions.defaults().runtimeId(" "));
    }

    @Test
    void types_that_the_store_knows_with_another_schema_are_refused_by_name() {
        open();

        assertThatThrownBy(() -> open(Customer.class, SmallerProduct.class, IndexedMaker.class))
                .isInstanceOfSatisfying(SchemaOutdatedException.class, e -> {
                    assertThat(e.kind()).isEqualTo(ErrorKind.CONFLICT);
                    assertThat(e.types()).containsExactly(TypeRef.entity("Product"), TypeRef.entity("Maker"));
                })
                .hasMessageContaining("removed price")
                .hasMessageContaining("changed country");
    }

    @Test
    void a_refused_schema_registers_nothing() {
        open(Shop.Product.class);

        assertThatThrownBy(() -> open(SmallerProduct.class, Customer.class))
                .isInstanceOf(SchemaOutdatedException.class);

        assertThat(keep(Ontologia.openStored(uri(), options())).types())
                .extracting(type -> type.ref().toString())
                .containsExactly("entity Product");
    }

    @Test
    void new_types_join_those_that_the_store_knows() {
        Session first = open(Customer.class);
        commit(first, ALICE);

        Session second = open(Shop.Maker.class);
        commit(second, new Shop.Maker("m1", "IT"));

        assertThat(first.find(Customer.class, "c1")).contains(ALICE);
        assertThat(keep(Ontologia.openStored(uri(), options())).types()).hasSize(2);
    }

    @Test
    void a_schema_has_a_first_version_that_says_why_and_by_whom() {
        Session session = keep(Ontologia.open(uri(), options().runtimeId("the-importer"), Customer.class));

        var versions = session.storage().schemaVersions(TypeRef.entity("Customer"));

        assertThat(versions).singleElement().satisfies(version -> {
            assertThat(version.version()).isEqualTo(1);
            assertThat(version.reason()).contains("initial");
            assertThat(version.runtimeId()).contains("the-importer");
            assertThat(version.createdAt()).isEqualTo(clock.now());
            assertThat(version.describe().schemaHash()).isEqualTo(version.schemaHash());
        });
    }

    @Test
    void a_type_is_the_same_whether_records_or_a_model_declare_it() {
        open(Shop.Maker.class);
        Model model = Model.of(new EntityType(
                "Maker",
                List.of(
                        FieldDef.of("country", TypeSpec.Primitive.STR).withDefault("IT"),
                        FieldDef.of("name", TypeSpec.Primitive.STR)),
                "name"));

        Session session = keep(Ontologia.open(uri(), options(), model));

        commit(session, new Row.OfEntity("Maker", "m1", Map.of()));
        assertThat(open(Shop.Maker.class).find(Shop.Maker.class, "m1")).contains(new Shop.Maker("m1", "IT"));
    }

    @Test
    void a_session_for_reading_reads_and_refuses_to_write() {
        commit(open(), ALICE);
        Session session = keep(Ontologia.open(uri(), readOnly(), Shop.TYPES));

        assertThat(session.find(Customer.class, "c1")).contains(ALICE);
        assertThat(session.entities(Customer.class).count()).isEqualTo(1);
        assertThat(session.log().since(0)).hasSize(1);
        session.ensure(Customer.of("c2", "x", 1));
        assertFails(ErrorKind.INVALID_INPUT, "opened for reading", session::commit);
        assertThat(session.preview()).hasSize(1);
        assertThat(session.head()).isEqualTo(1);
    }

    @Test
    void a_session_for_reading_sees_what_others_commit() {
        Session writer = open();
        commit(writer, ALICE);
        Session reader = keep(Ontologia.open(uri(), readOnly(), Shop.TYPES));
        assertThat(reader.entities(Customer.class).count()).isEqualTo(1);

        commit(writer, Customer.of("c2", "x", 1));

        assertThat(keys(reader.entities(Customer.class))).containsExactly("c1", "c2");
    }

    @Test
    void a_session_for_reading_finds_nothing_of_a_type_that_is_not_stored() {
        open(Customer.class);

        Session session = keep(Ontologia.open(uri(), readOnly(), Customer.class, Shop.Maker.class));

        assertThat(session.entities(Shop.Maker.class).list()).isEmpty();
        assertThat(keep(Ontologia.openStored(uri(), readOnly())).types()).hasSize(1);
    }

    @Test
    void a_session_for_reading_refuses_another_schema_too() {
        open();

        assertThatThrownBy(() -> Ontologia.open(uri(), readOnly(), SmallerProduct.class))
                .isInstanceOf(SchemaOutdatedException.class);
    }

    @Test
    void a_store_that_is_not_there_is_not_made_for_reading() {
        assertFails(ErrorKind.NOT_FOUND, "", () -> Ontologia.open(uri(), readOnly(), Shop.TYPES));
        assertFails(ErrorKind.NOT_FOUND, "", () -> Ontologia.openStored(uri(), readOnly()));
    }

    private SessionOptions readOnly() {
        SessionOptions options = options();
        return options.storage(options.storage().mode(StorageOptions.Mode.READ_ONLY));
    }
}
