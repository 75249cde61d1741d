package io.ontologia.store.sqlite.internal;

import io.ontologia.core.FieldPath;
import io.ontologia.core.Filter;
import io.ontologia.core.spi.FilterDialect;
import io.ontologia.core.spi.SqlFragment;
import io.ontologia.kernel.CanonicalJson;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Filters in SQLite's words. Its {@code json_type} tells types apart, its comparison of integers with reals is exact, and
 * its texts compare by their UTF-8 bytes; only integers beyond 64 bits, which it reads as reals, need a function of ours.
 */
final class SqliteDialect implements FilterDialect {
    private final AtomicInteger aliases = new AtomicInteger();

    @Override
    public JsonValue at(String document, List<String> path) {
        String literal = "'" + FieldPath.jsonPath(path).replace("'", "''") + "'";
        String arguments = document + ", " + literal;
        return new JsonValue(
                "json_type(" + arguments + ")",
                "json_extract(" + arguments + ")",
                "(" + document + " -> " + literal + ")");
    }

    @Override
    public JsonValue text(String column) {
        return new JsonValue("'text'", column, "json_quote(" + column + ")");
    }

    @Override
    public String isPresent(JsonValue value) {
        return "coalesce(" + value.type() + ", 'null') <> 'null'";
    }

    @Override
    public String isText(JsonValue value) {
        return value.type() + " = 'text'";
    }

    @Override
    public String isNumber(JsonValue value) {
        return value.type() + " IN ('integer', 'real')";
    }

    @Override
    public String isBool(JsonValue value) {
        return value.type() + " IN ('true', 'false')";
    }

    @Override
    public SqlFragment compareText(JsonValue value, Filter.Op op, String text) {
        return SqlFragment.of(value.value() + " " + FilterDialect.operator(op) + " ?", text);
    }

    @Override
    public SqlFragment compareNumber(JsonValue value, Filter.Op op, Number number) {
        String operator = FilterDialect.operator(op);
        SqlFragment exact = SqlFragment.of(
                SqlFunctions.COMPARE_NUMBERS + "(" + value.json() + ", ?) " + operator + " 0", plain(number));
        if (number instanceof BigInteger) {
            return exact;
        }
        return SqlFragment.of(
                        "CASE WHEN " + value.type() + " = 'integer' AND typeof(" + value.value() + ") = 'real' THEN ")
                .then(exact)
                .then(SqlFragment.of(" ELSE " + value.value() + " " + operator + " ? END", number));
    }

    @Override
    public SqlFragment textIn(JsonValue value, List<String> texts) {
        return SqlFragment.of(isAmong(value), CanonicalJson.write(texts));
    }

    @Override
    public SqlFragment numberIn(JsonValue value, List<Number> numbers) {
        List<Number> held = numbers.stream()
                .map(SqliteDialect::held)
                .flatMap(Optional::stream)
                .toList();
        // What is beyond 64 bits and an integer is compared by its digits.
        List<String> digits = numbers.stream()
                .map(SqliteDialect::longDigits)
                .flatMap(Optional::stream)
                .toList();
        SqlFragment among = SqlFragment.of(isAmong(value), CanonicalJson.write(held));
        return SqlFragment.of(
                        "CASE WHEN " + value.type() + " = 'integer' AND typeof(" + value.value() + ") = 'real' THEN "
                                + value.json() + " IN (SELECT value FROM json_each(?)) ELSE ",
                        CanonicalJson.write(digits))
                .then(among)
                .then(" END");
    }

    /** Whether a value is an item of the JSON list that is the parameter. */
    static String isAmong(JsonValue value) {
        return value.value() + " IN (SELECT value FROM json_each(?))";
    }

    /** The same number as SQLite holds it, when it can. */
    private static Optional<Number> held(Number number) {
        if (!(number instanceof BigInteger big)) {
            return Optional.of(number);
        }
        double nearest = big.doubleValue();
        return Double.isFinite(nearest) && new BigDecimal(nearest).compareTo(new BigDecimal(big)) == 0
                ? Optional.of(nearest)
                : Optional.empty();
    }

    private static Optional<String> longDigits(Number number) {
        BigDecimal exact = number instanceof Double real ? new BigDecimal(real) : new BigDecimal(number.toString());
        return exact.stripTrailingZeros().scale() <= 0 && exact.toBigInteger().bitLength() >= Long.SIZE
                ? Optional.of(exact.toBigInteger().toString())
                : Optional.empty();
    }

    /** A number as an exact decimal. */
    static String plain(Number number) {
        return number instanceof Double real ? new BigDecimal(real).toString() : number.toString();
    }

    @Override
    public SqlFragment equalsBool(JsonValue value, boolean bool) {
        return SqlFragment.of(value.type() + " = '" + bool + "'");
    }

    @Override
    public SqlFragment testText(JsonValue value, Filter.TextOp op, String part) {
        return switch (op) {
            case STARTS_WITH -> SqlFragment.of("substr(" + value.value() + ", 1, length(?)) = ?", part, part);
            case ENDS_WITH ->
                part.isEmpty()
                        ? SqlFragment.of("1 = 1")
                        : SqlFragment.of(
                                "length(" + value.value() + ") >= length(?) AND substr(" + value.value()
                                        + ", -length(?)) = ?",
                                part,
                                part,
                                part);
            case CONTAINS -> SqlFragment.of("instr(" + value.value() + ", ?) > 0", part);
        };
    }

    @Override
    public SqlFragment anyItem(JsonValue list, List<String> itemPath, Function<JsonValue, SqlFragment> test) {
        String alias = "je" + aliases.incrementAndGet();
        String array = "CASE " + list.type() + " WHEN 'array' THEN " + list.value() + " ELSE '[]' END";
        JsonValue item;
        if (itemPath.isEmpty()) {
            item = new JsonValue(alias + ".type", alias + ".value", "(" + list.value() + " -> " + alias + ".fullkey)");
        } else {
            // Only objects have fields, and only they are JSON text here: a plain text would be read as malformed JSON.
            String object = "CASE " + alias + ".type WHEN 'object' THEN " + alias + ".value END";
            item = at(object, itemPath);
        }
        return test.apply(item).wrap("EXISTS (SELECT 1 FROM json_each(" + array + ") AS " + alias + " WHERE ", ")");
    }
}
