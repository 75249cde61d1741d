package io.ontologia.testkit;

import static io.ontologia.core.Fields.field;
import static io.ontologia.core.Fields.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Entity;
import io.ontologia.core.FieldExpression;
import io.ontologia.core.Filter;
import io.ontologia.core.Indexed;
import io.ontologia.core.Key;
import io.ontologia.core.Query;
import io.ontologia.core.Session;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Filters on moments, dates, UUIDs, numbers and keys find what comparisons of the values in Java find. Nothing here uses the
 * evaluation of filters that the backends share. {@code -Dontologia.filters.runs=N} runs longer.
 */
public abstract class TypedFilterContract extends OntologySuite {
    private static final int RUNS = Integer.getInteger("ontologia.filters.runs", 1);
    private static final int SAMPLES = 40;
    private static final int FILTERS = 30;
    private static final int MANY = 100_000;

    /** The order of the bytes of a UUID; that of Java compares signed numbers. */
    private static final Comparator<UUID> BYTES = (one, other) -> {
        int high = Long.compareUnsigned(one.getMostSignificantBits(), other.getMostSignificantBits());
        return high != 0 ? high : Long.compareUnsigned(one.getLeastSignificantBits(), other.getLeastSignificantBits());
    };

    record Sample(
            @Key String id,
            @Indexed Instant at,
            LocalDate day,
            UUID token,
            @Nullable Instant until,
            long number) implements Entity {}

    /** A field, its values in Java, and their order. */
    private record Field<V>(
            FieldExpression<V> expression,
            Function<Sample, @Nullable V> value,
            Comparator<? super V> order,
            Function<RandomGenerator, V> any) {}

    /** A filter, and whether a sample passes; null for "unknown". */
    private record Case(Filter filter, Function<Sample, @Nullable Boolean> passes) {}

    private static final List<Field<?>> FIELDS = List.of(
            new Field<>(field(Sample::at), Sample::at, Comparator.naturalOrder(), TypedFilterContract::moment),
            new Field<>(field(Sample::day), Sample::day, Comparator.naturalOrder(), TypedFilterContract::day),
            new Field<>(field(Sample::token), Sample::token, BYTES, TypedFilterContract::token),
            new Field<>(field(Sample::until), Sample::until, Comparator.naturalOrder(), TypedFilterContract::moment),
            new Field<>(field(Sample::number), Sample::number, Comparator.naturalOrder(), random ->
                    (long) random.nextInt(-5, 6)),
            new Field<>(field(Sample::id), Sample::id, Comparator.naturalOrder(), TypedFilterContract::id),
            new Field<>(key(), Sample::id, Comparator.naturalOrder(), TypedFilterContract::id));

    /** Few moments, so that they meet: around midnights, and with parts of a second. */
    private static Instant moment(RandomGenerator random) {
        int[] years = {999, 1970, 2026};
        long[] nanos = {0, 1, 1_000, 1_000_000, 120_000_000, 999_999_999};
        return LocalDate.of(years[random.nextInt(years.length)], 1, 1)
                .atStartOfDay(ZoneOffset.UTC)
                .toInstant()
                .plusSeconds(random.nextInt(-1, 2))
                .plusNanos(nanos[random.nextInt(nanos.length)]);
    }

    private static LocalDate day(RandomGenerator random) {
        int[] years = {2, 999, 1000, 1969, 1970, 2026, 9998};
        return LocalDate.of(years[random.nextInt(years.length)], 12, random.nextInt(1, 3));
    }

    private static UUID token(RandomGenerator random) {
        long[] halves = {0, 1, Long.MAX_VALUE, Long.MIN_VALUE, -1, 0x0123456789abcdefL};
        return new UUID(halves[random.nextInt(halves.length)], halves[random.nextInt(halves.length)]);
    }

    private static String id(RandomGenerator random) {
        return "s" + random.nextInt(SAMPLES + 5);
    }

    private static Sample sample(int number, RandomGenerator random) {
        return new Sample(
                "s" + number,
                moment(random),
                day(random),
                token(random),
                random.nextInt(3) == 0 ? null : moment(random),
                random.nextInt(-5, 6));
    }

    private static Case filter(RandomGenerator random, int depth) {
        return switch (random.nextInt(depth > 0 ? 5 : 2)) {
            case 2 -> {
                Case one = filter(random, depth - 1);
                Case other = filter(random, depth - 1);
                yield new Case(one.filter().and(other.filter()), sample -> both(one, other, sample));
            }
            case 3 -> {
                Case one = filter(random, depth - 1);
                Case other = filter(random, depth - 1);
                // One of them passes unless both do not.
                yield new Case(
                        one.filter().or(other.filter()), sample -> not(both(negated(one), negated(other), sample)));
            }
            case 4 -> negated(filter(random, depth - 1));
            default -> test(FIELDS.get(random.nextInt(FIELDS.size())), random);
        };
    }

    private static Case negated(Case one) {
        return new Case(one.filter().not(), sample -> not(one.passes().apply(sample)));
    }

    private static @Nullable Boolean not(@Nullable Boolean passes) {
        return passes == null ? null : !passes;
    }

    private static @Nullable Boolean both(Case one, Case other, Sample sample) {
        Boolean first = one.passes().apply(sample);
        Boolean second = other.passes().apply(sample);
        if (Boolean.FALSE.equals(first) || Boolean.FALSE.equals(second)) {
            return false;
        }
        return (first == null || second == null) ? null : true;
    }

    private static <V> Case test(Field<V> field, RandomGenerator random) {
        V value = field.any().apply(random);
        FieldExpression<V> expression = field.expression();
        return switch (random.nextInt(9)) {
            case 0 -> compared(field, expression.eq(value), value, order -> order == 0);
            case 1 -> compared(field, expression.ne(value), value, order -> order != 0);
            case 2 -> compared(field, expression.lt(value), value, order -> order < 0);
            case 3 -> compared(field, expression.lte(value), value, order -> order <= 0);
            case 4 -> compared(field, expression.gt(value), value, order -> order > 0);
            case 5 -> compared(field, expression.gte(value), value, order -> order >= 0);
            case 6 -> new Case(expression.isNull(), sample -> field.value().apply(sample) == null);
            default ->
                among(
                        field,
                        List.of(value, field.any().apply(random), field.any().apply(random)));
        };
    }

    private static <V> Case compared(Field<V> field, Filter filter, V value, Function<Integer, Boolean> passes) {
        return new Case(filter, sample -> {
            V own = field.value().apply(sample);
            return own == null ? null : passes.apply(field.order().compare(own, value));
        });
    }

    private static <V> Case among(Field<V> field, List<V> values) {
        Set<V> all = new HashSet<>(values);
        return new Case(field.expression().in(values), sample -> {
            V own = field.value().apply(sample);
            return own == null ? null : all.contains(own);
        });
    }

    /** A list in which some values are those of samples. */
    private static <V> Case amongMany(Field<V> field, RandomGenerator random) {
        List<V> values = new ArrayList<>(MANY);
        for (int i = 0; i < MANY; i++) {
            values.add(i % 1_000 == 0 ? field.any().apply(random) : Objects.requireNonNull(other(field, i)));
        }
        return among(field, values);
    }

    @SuppressWarnings("unchecked") // the value has the type of the field's values
    private static <V> V other(Field<V> field, int number) {
        Object value = field.any().apply(new SplittableRandom(0));
        Object other;
        if (value instanceof Instant) {
            other = Instant.parse("2020-02-10T00:00:00Z").plusSeconds(number);
        } else if (value instanceof LocalDate) {
            other = LocalDate.of(2030, 1, 1).plusDays(number);
        } else if (value instanceof UUID) {
            other = new UUID(42, number);
        } else if (value instanceof Long) {
            other = 1_000L + number;
        } else {
            other = "other" + number;
        }
        return (V) other;
    }

    private static void assertSame(Query<Sample> query, Case test, SortedMap<String, Sample> samples) {
        List<String> expected = samples.values().stream()
                .filter(sample -> Boolean.TRUE.equals(test.passes().apply(sample)))
                .map(Sample::id)
                .toList();

        assertThat(keys(query.where(test.filter())))
                .as(() -> describe(test) + " over " + samples)
                .isEqualTo(expected);
    }

    private static String describe(Case test) {
        String text = test.filter().toString();
        return text.substring(0, Math.min(text.length(), 2_000));
    }

    private SortedMap<String, Sample> change(
            Session session, SortedMap<String, Sample> before, RandomGenerator random) {
        SortedMap<String, Sample> after = new TreeMap<>(before);
        int first = before.isEmpty() ? 0 : SAMPLES / 2;
        List<Sample> changed = IntStream.range(first, SAMPLES)
                .mapToObj(number -> sample(number, random))
                .toList();
        changed.forEach(sample -> after.put(sample.id(), sample));
        session.ensureAll(changed.stream());
        session.commit();
        return after;
    }

    @Test
    void a_filter_finds_what_comparisons_of_values_find() {
        Session session = open(Sample.class);
        Seeds.forEach("filters by type", RUNS, random -> {
            SortedMap<String, Sample> past = change(session, new TreeMap<>(), random);
            long commit = session.head();
            SortedMap<String, Sample> now = change(session, past, random);
            for (int i = 0; i < FILTERS; i++) {
                Case test = filter(random, 3);
                assertSame(session.entities(Sample.class), test, now);
                if (i % 6 == 0) {
                    assertSame(session.entities(Sample.class).asOf(commit), test, past);
                }
            }
        });
    }

    @Test
    void a_list_of_100_000_values_of_any_type_finds_what_a_set_has() {
        Session session = open(Sample.class);
        Seeds.forEach("lists by type", 1, random -> {
            SortedMap<String, Sample> now = change(session, new TreeMap<>(), random);
            for (Field<?> field : FIELDS) {
                Case test = amongMany(field, random);
                assertSame(session.entities(Sample.class), random.nextBoolean() ? test : negated(test), now);
            }
        });
    }
}
