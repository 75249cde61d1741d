package io.ontologia.testkit;

import io.ontologia.core.FieldPath;
import io.ontologia.core.Filter;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Generates documents and filters that meet each other often: few names, few values, and among the values every pair that
 * engines are known to confuse (1, 1.0, true, "1"; case; wildcards; integers that a double cannot hold). Moments, dates and
 * UUIDs are Java values in filters and their texts in documents.
 */
public final class FilterCases {
    private static final List<String> NAMES = List.of("a", "b", "c", "list");
    private static final List<Object> SCALARS = List.of(
            "",
            "a",
            "A",
            "ab",
            "abc",
            "%",
            "_",
            "a%b",
            "1",
            "true",
            "null",
            "é",
            "\uFFFD",
            "😀",
            "[]",
            "{\"a\":1}",
            "z'\"\\",
            0L,
            1L,
            -1L,
            2L,
            10L,
            1.0,
            1.5,
            -0.0,
            1e300,
            0.1,
            9007199254740992L,
            9007199254740993L,
            9007199254740992.0,
            Long.MAX_VALUE,
            Long.MIN_VALUE,
            9.223372036854776e18,
            new BigInteger("9223372036854775808"),
            new BigInteger("123456789012345678901234567890"),
            true,
            false);

    /** A value of a type that is stored as a text, and that text. */
    private record Stored(Object value, String text) {}

    private static final List<Stored> TEMPORAL = List.of(
            new Stored(Instant.parse("2026-02-10T12:00:00Z"), "2026-02-10T12:00:00.000000+00:00"),
            new Stored(OffsetDateTime.parse("2026-02-10T17:00:00+05:00"), "2026-02-10T12:00:00.000000+00:00"),
            new Stored(Instant.parse("2026-02-10T12:00:00.000000001Z"), "2026-02-10T12:00:00.000000001+00:00"),
            new Stored(Instant.parse("2026-02-10T12:00:00.000001Z"), "2026-02-10T12:00:00.000001+00:00"),
            new Stored(Instant.parse("0999-12-31T23:59:59Z"), "0999-12-31T23:59:59.000000+00:00"),
            new Stored(LocalDate.of(2026, 2, 10), "2026-02-10"),
            new Stored(LocalDate.of(999, 12, 31), "0999-12-31"),
            new Stored(UUID.fromString("00000000-0000-4000-8000-000000000001"), "00000000-0000-4000-8000-000000000001"),
            new Stored(
                    UUID.fromString("F0000000-0000-4000-8000-000000000001"), "f0000000-0000-4000-8000-000000000001"));
    private static final int MANY = 100_000;

    private FilterCases() {}

    /** A JSON object with some of the names, nested up to a depth. */
    public static Map<String, @Nullable Object> document(RandomGenerator random) {
        return object(random, 2);
    }

    private static Map<String, @Nullable Object> object(RandomGenerator random, int depth) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        for (String name : NAMES) {
            if (random.nextInt(4) > 0) {
                map.put(
                        name,
                        name.equals("list") && random.nextInt(4) > 0 ? list(random, depth) : value(random, depth));
            }
        }
        return map;
    }

    private static @Nullable Object value(RandomGenerator random, int depth) {
        return switch (random.nextInt(depth > 0 ? 12 : 9)) {
            case 0 -> null;
            case 9, 10 -> object(random, depth - 1);
            case 11 -> list(random, depth);
            case 8 -> pick(random, TEMPORAL).text();
            default -> pick(random, SCALARS);
        };
    }

    private static List<@Nullable Object> list(RandomGenerator random, int depth) {
        List<@Nullable Object> items = new ArrayList<>();
        for (int n = random.nextInt(4); n > 0; n--) {
            items.add(value(random, depth - 1));
        }
        return items;
    }

    private static Object scalar(RandomGenerator random) {
        return random.nextInt(6) == 0 ? pick(random, TEMPORAL).value() : pick(random, SCALARS);
    }

    /** Whether one value of a field is, or is not, among 100,000 values of one type or of all types, some of which documents have. */
    public static Filter filterWithManyValues(RandomGenerator random, List<FieldPath.Scope> scopes) {
        List<Object> values = new ArrayList<>(MANY);
        int kind = random.nextInt(5);
        Instant first = Instant.parse("2026-02-10T00:00:00Z");
        for (int i = 0; values.size() < MANY - SCALARS.size(); i++) {
            values.add(
                    switch (kind == 4 ? i % 4 : kind) {
                        case 0 -> (Object) (long) i;
                        case 1 -> "w" + i;
                        case 2 -> first.plusSeconds(i);
                        default -> i + 0.5;
                    });
        }
        while (values.size() < MANY) {
            values.add(random.nextInt(values.size()), scalar(random));
        }
        FieldPath path = path(random, List.of(pick(random, scopes)), false);
        Filter among = random.nextInt(4) == 0
                ? new Filter.Any(path(random, List.of(FieldPath.Scope.SELF), true), item(random), new Filter.In(values))
                : new Filter.At(path, new Filter.In(values));
        return random.nextBoolean() ? among : new Filter.Not(among);
    }

    /**
     * A filter, nested up to a depth.
     *
     * @param scopes where its paths may start; keys in the identity are k0, k1 and so on
     */
    public static Filter filter(RandomGenerator random, int depth, List<FieldPath.Scope> scopes) {
        int kind = random.nextInt(depth > 0 ? 8 : 4);
        return switch (kind) {
            case 3 -> new Filter.Any(path(random, List.of(FieldPath.Scope.SELF), true), item(random), test(random));
            case 4, 5 -> new Filter.And(parts(random, depth, scopes));
            case 6 -> new Filter.Or(parts(random, depth, scopes));
            case 7 -> new Filter.Not(filter(random, depth - 1, scopes));
            default -> at(random, scopes);
        };
    }

    private static Filter at(RandomGenerator random, List<FieldPath.Scope> scopes) {
        FieldPath.Scope scope = scopes.get(random.nextInt(scopes.size()));
        return scope == FieldPath.Scope.IDENTITY
                ? new Filter.At(identityPart(random, scopes), keyTest(random))
                : new Filter.At(path(random, List.of(scope), false), test(random));
    }

    /** Filters that look at ends are filters of relations. */
    private static FieldPath identityPart(RandomGenerator random, List<FieldPath.Scope> scopes) {
        return scopes.contains(FieldPath.Scope.LEFT)
                ? pick(random, List.of(FieldPath.LEFT_KEY, FieldPath.RIGHT_KEY, FieldPath.INSTANCE_KEY))
                : FieldPath.KEY;
    }

    private static Filter.Test keyTest(RandomGenerator random) {
        return switch (random.nextInt(8)) {
            case 0 -> new Filter.IsNull();
            case 1 -> new Filter.IsNotNull();
            case 2, 3 -> new Filter.In(List.of(key(random), key(random), text(random)));
            case 4 -> new Filter.Text(pick(random, List.of(Filter.TextOp.values())), key(random));
            case 5 -> new Filter.Compare(pick(random, List.of(Filter.Op.values())), text(random));
            default -> new Filter.Compare(pick(random, List.of(Filter.Op.values())), key(random));
        };
    }

    private static String key(RandomGenerator random) {
        return "k" + random.nextInt(9);
    }

    private static List<Filter> parts(RandomGenerator random, int depth, List<FieldPath.Scope> scopes) {
        List<Filter> parts = new ArrayList<>();
        for (int n = random.nextInt(4); n > 0; n--) {
            parts.add(filter(random, depth - 1, scopes));
        }
        return parts;
    }

    private static FieldPath path(RandomGenerator random, List<FieldPath.Scope> scopes, boolean toList) {
        FieldPath.Scope scope = scopes.get(random.nextInt(scopes.size()));
        List<String> segments = new ArrayList<>();
        if (random.nextInt(3) == 0) {
            segments.add(NAMES.get(random.nextInt(NAMES.size())));
        }
        segments.add(toList && random.nextInt(4) > 0 ? "list" : NAMES.get(random.nextInt(NAMES.size())));
        return new FieldPath(scope, segments);
    }

    private static List<String> item(RandomGenerator random) {
        return random.nextBoolean() ? List.of() : List.of(NAMES.get(random.nextInt(NAMES.size())));
    }

    private static Filter.Test test(RandomGenerator random) {
        return switch (random.nextInt(8)) {
            case 0 -> new Filter.IsNull();
            case 1 -> new Filter.IsNotNull();
            case 2 -> in(random);
            case 3 -> new Filter.Text(pick(random, List.of(Filter.TextOp.values())), text(random));
            default -> comparison(random);
        };
    }

    private static Filter.Test in(RandomGenerator random) {
        List<Object> values = new ArrayList<>();
        for (int n = random.nextInt(4); n > 0; n--) {
            values.add(scalar(random));
        }
        return new Filter.In(values);
    }

    private static Filter.Test comparison(RandomGenerator random) {
        Object constant = scalar(random);
        List<Filter.Op> ops =
                constant instanceof Boolean ? List.of(Filter.Op.EQ, Filter.Op.NE) : List.of(Filter.Op.values());
        return new Filter.Compare(pick(random, ops), constant);
    }

    private static String text(RandomGenerator random) {
        return scalar(random) instanceof String text ? text : "a";
    }

    private static <T> T pick(RandomGenerator random, List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
