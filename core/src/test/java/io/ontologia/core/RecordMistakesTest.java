package io.ontologia.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RecordMistakesTest {
    record Fine(@Key String id) implements Entity {}

    record Other(@Key String id) implements Entity {}

    static class NoRecord implements Entity {}

    record Neither(@Key String id) {}

    record Both(@Key String id, String leftKey, String rightKey) implements Entity, Relation<Fine, Fine> {}

    record NoKey(String id) implements Entity {}

    record TwoKeys(@Key String id, @Key String other) implements Entity {}

    record NumberKey(@Key long id) implements Entity {}

    record NullableKey(@Key @Nullable String id) implements Entity {}

    record DefaultKey(@Key @Default("\"x\"") String id) implements Entity {}

    record EntityWithInstanceKey(
            @Key String id, @InstanceKey String other) implements Entity {}

    record BitsField(@Key String id, BitSet numbers) implements Entity {}

    record SetField(@Key String id, Set<String> tags) implements Entity {}

    record OptionalField(@Key String id, Optional<String> maybe) implements Entity {}

    record NumberMap(@Key String id, Map<Integer, String> byNumber) implements Entity {}

    record BadItem(@Key String id, List<Thread> threads) implements Entity {}

    record SameName(@Key String id, String a, @Named("a") String b) implements Entity {}

    record BadFieldName(@Key String id, @Named("no spaces") String a) implements Entity {}

    @Named("no spaces")
    record BadTypeName(@Key String id) implements Entity {}

    record BadDefaultJson(@Key String id, @Default("oops") String a) implements Entity {}

    record WrongDefault(@Key String id, @Default("\"7\"") int a) implements Entity {}

    record NullDefault(@Key String id, @Default("null") int a) implements Entity {}

    record Tree(@Key String id, List<Tree> children) implements Entity {}

    record Inner(
            @Key String id,
            @Indexed String a,
            @Default("1") int b,
            @Named("x y") int c) {}

    record BadInner(@Key String id, Inner inner) implements Entity {}

    record Twins(String a, @Named("a") String b) {}

    record InnerTwins(@Key String id, Twins twins) implements Entity {}

    record RelationWithKey(@Key String leftKey, String rightKey) implements Relation<Fine, Fine> {}

    record TwoInstanceKeys(
            String leftKey,
            String rightKey,
            @InstanceKey String a,
            @InstanceKey String b) implements Relation<Fine, Fine> {}

    record NumberInstanceKey(
            String leftKey, String rightKey, @InstanceKey int a) implements Relation<Fine, Fine> {}

    record DefaultInstanceKey(
            String leftKey,
            String rightKey,
            @InstanceKey @Default("\"x\"") String a) implements Relation<Fine, Fine> {}

    record ReservedName(
            String leftKey,
            String rightKey,
            @Named("left_key") String a) implements Relation<Fine, Fine> {}

    record ComputedEnd(String leftKey) implements Relation<Fine, Fine> {
        @Override
        public String rightKey() {
            return leftKey;
        }
    }

    interface Link extends Relation<Fine, Fine> {}

    record Indirect(String leftKey, String rightKey) implements Link {}

    record UnknownEnd(String leftKey, String rightKey) implements Relation<Fine, Other> {}

    static Stream<Arguments> mistakes() {
        return Stream.of(
                Arguments.of(NoRecord.class, "it is not a record"),
                Arguments.of(Neither.class, "it is neither an Entity nor a Relation"),
                Arguments.of(Both.class, "it is both an Entity and a Relation"),
                Arguments.of(NoKey.class, "it has 0 components with @Key"),
                Arguments.of(TwoKeys.class, "it has 2 components with @Key"),
                Arguments.of(NumberKey.class, "its key 'id' is not a plain text"),
                Arguments.of(NullableKey.class, "its key 'id' is not a plain text"),
                Arguments.of(EntityWithInstanceKey.class, "@InstanceKey is for relations"),
                Arguments.of(BitsField.class, "component 'numbers': unsupported Java type java.util.BitSet"),
                Arguments.of(SetField.class, "component 'tags': unsupported Java type java.util.Set"),
                Arguments.of(OptionalField.class, "component 'maybe': unsupported Java type java.util.Optional"),
                Arguments.of(NumberMap.class, "component 'byNumber': unsupported Java type java.util.Map"),
                Arguments.of(BadItem.class, "component 'threads': unsupported Java type java.lang.Thread"),
                Arguments.of(SameName.class, "components 'a' and 'b' are both called 'a'"),
                Arguments.of(BadFieldName.class, "component 'a': invalid field name 'no spaces'"),
                Arguments.of(BadTypeName.class, "invalid type name 'no spaces'"),
                Arguments.of(BadDefaultJson.class, "component 'a': invalid JSON"),
                Arguments.of(WrongDefault.class, "component 'a': field 'a' is a text and not <class 'int'>"),
                Arguments.of(NullDefault.class, "component 'a': field 'a' must not be null"),
                Arguments.of(Tree.class, "component 'children': unsupported Java type Tree: it contains itself"),
                Arguments.of(BadInner.class, "component 'inner': component 'c': invalid field name 'x y'"),
                Arguments.of(InnerTwins.class, "component 'twins': components 'a' and 'b' are both called 'a'"),
                Arguments.of(DefaultKey.class, "its key 'id' has a default"),
                Arguments.of(RelationWithKey.class, "@Key is for entities"),
                Arguments.of(TwoInstanceKeys.class, "it has 2 components with @InstanceKey"),
                Arguments.of(NumberInstanceKey.class, "its instance key 'a' is not a plain text"),
                Arguments.of(DefaultInstanceKey.class, "its instance key 'a' has a default"),
                Arguments.of(ReservedName.class, "components 'leftKey' and 'a' are both called 'left_key'"),
                Arguments.of(ComputedEnd.class, "it has no component rightKey"),
                Arguments.of(Indirect.class, "it does not say which entities it joins"),
                Arguments.of(UnknownEnd.class, "it joins Other, which is no entity type of the model"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void a_mistake_is_refused_by_name_and_alone(Class<?> record, String problem) {
        OntologiaException refusal = refusalOf(Fine.class, record);

        assertThat(refusal.kind()).isEqualTo(ErrorKind.INVALID_INPUT);
        String name = record.isAnnotationPresent(Named.class) ? "no spaces" : record.getSimpleName();
        assertThat(problemsOf(refusal))
                .singleElement(InstanceOfAssertFactories.STRING)
                .startsWith(name + ": " + problem);
        assertThat(refusal).hasMessageStartingWith("invalid model: " + name + ": " + problem);
    }

    @Test
    void annotations_that_mean_nothing_inside_a_field_are_refused() {
        record Point(
                @Key String id,
                @Indexed int x,
                @Default("1") int y,
                @InstanceKey String z) {}
        record Shape(@Key String id, List<Point> corners) implements Entity {}

        assertThat(problemsOf(refusalOf(Shape.class)))
                .containsExactly(
                        "Shape: component 'corners': component 'id': @Key means nothing inside a field. remove it",
                        "Shape: component 'corners': component 'x': @Indexed means nothing inside a field. remove it",
                        "Shape: component 'corners': component 'y': @Default means nothing inside a field. remove it",
                        "Shape: component 'corners': component 'z': @InstanceKey means nothing inside a field. remove"
                                + " it");
    }

    @Test
    void every_problem_of_every_record_is_listed_at_once() {
        record Messy(
                @Key int id,
                BitSet a,
                Thread b,
                @Named("a b") String c,
                @Default("x") int d) implements Entity {}

        OntologiaException refusal = refusalOf(Messy.class, NoKey.class, UnknownEnd.class, Fine.class);

        assertThat(problemsOf(refusal))
                .hasSize(7)
                .anyMatch(problem -> problem.startsWith("Messy: component 'a': unsupported"))
                .anyMatch(problem -> problem.startsWith("Messy: component 'b': unsupported"))
                .anyMatch(problem -> problem.startsWith("Messy: component 'c': invalid field name"))
                .anyMatch(problem -> problem.startsWith("Messy: component 'd': invalid JSON"))
                .anyMatch(problem -> problem.startsWith("Messy: its key 'id'"))
                .anyMatch(problem -> problem.startsWith("NoKey: it has 0"))
                .anyMatch(problem -> problem.startsWith("UnknownEnd: it joins Other"));
        assertThat(refusal.getMessage()).doesNotContain("\n");
    }

    @Test
    void an_end_that_is_refused_itself_is_not_reported_as_unknown() {
        record Joint(String leftKey, String rightKey) implements Relation<Fine, NoKey> {}

        assertThat(problemsOf(refusalOf(Fine.class, NoKey.class, Joint.class)))
                .singleElement(InstanceOfAssertFactories.STRING)
                .startsWith("NoKey: it has 0 components");
    }

    @Test
    void two_types_of_one_kind_cannot_share_a_name() {
        @Named("Fine")
        record Another(@Key String id) implements Entity {}

        assertThat(problemsOf(refusalOf(Fine.class, Another.class)))
                .containsExactly("two types are called entity Fine");
    }

    @Test
    void an_entity_type_and_a_relation_type_can_share_a_name() {
        @Named("Fine")
        record Link2(String leftKey, String rightKey) implements Relation<Fine, Fine> {}

        assertThat(Model.ofRecords(List.of(Fine.class, Link2.class)).types()).hasSize(2);
    }

    private static OntologiaException refusalOf(Class<?>... records) {
        List<Class<?>> all = Arrays.stream(records).distinct().toList();
        assertThatThrownBy(() -> Model.ofRecords(all)).isInstanceOf(OntologiaException.class);
        try {
            Model.ofRecords(all);
            throw new AssertionError("it was not refused");
        } catch (OntologiaException e) {
            return e;
        }
    }

    private static List<String> problemsOf(OntologiaException refusal) {
        return ((List<?>) refusal.details().getOrDefault("problems", List.of()))
                .stream().map(String::valueOf).toList();
    }
}
