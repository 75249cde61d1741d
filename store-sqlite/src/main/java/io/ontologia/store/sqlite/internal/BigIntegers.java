package io.ontologia.store.sqlite.internal;

import io.ontologia.core.spi.FilterDialect.JsonValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Integers beyond 64 bits, which SQLite reads as the nearest real. Where that loses the order, their exact values are compared
 * as keys: texts that have the order of the numbers. The keys are computed only for numbers that need one.
 */
final class BigIntegers {
    /** The only integer of 64 bits that some larger or smaller integer is rounded to. */
    private static final String KEY_OF_LEAST_LONG = key(BigInteger.valueOf(Long.MIN_VALUE));

    private static final String TWO_TO_63 = "9223372036854775808.0";
    private static final int DIGITS_OF_LENGTH = 10;
    private static final String LEAST = "n";
    private static final String GREATEST = "p~";

    private BigIntegers() {}

    /** An expression that orders numbers, and tells them apart, where {@link JsonValue#value} is equal. */
    static String tieBreaker(JsonValue value) {
        return "CASE WHEN typeof(" + value.value() + ") = 'real' AND abs(" + value.value() + ") >= " + TWO_TO_63
                + " THEN " + SqlFunctions.NUMBER_KEY + "(" + value.json() + ") ELSE '" + KEY_OF_LEAST_LONG + "' END";
    }

    /** A condition: whether a value is an integer that SQLite reads as a real. */
    static String isBig(JsonValue value) {
        return value.type() + " = 'integer' AND typeof(" + value.value() + ") = 'real'";
    }

    /** The key of a JSON number without a fraction. A real beyond the range of doubles comes after, or before, all others. */
    static String keyOf(String json) {
        if (!isInteger(json) && Double.isInfinite(Double.parseDouble(json))) {
            return json.startsWith("-") ? LEAST : GREATEST;
        }
        return key(exact(json).toBigInteger());
    }

    /** The key of a real without a fraction. */
    static String keyOf(double real) {
        if (Double.isInfinite(real)) {
            return real < 0 ? LEAST : GREATEST;
        }
        return key(new BigDecimal(real).toBigInteger());
    }

    /** The key of a number without a fraction: greater numbers have greater keys. */
    static String key(BigInteger number) {
        String digits = number.abs().toString();
        String key = String.format(Locale.ROOT, "%0" + DIGITS_OF_LENGTH + "d", digits.length()) + digits;
        return number.signum() < 0 ? "n" + complement(key) : "p" + key;
    }

    /** The number that has a key. */
    static BigInteger ofKey(String key) {
        return key.startsWith("n")
                ? new BigInteger(complement(key.substring(1)).substring(DIGITS_OF_LENGTH)).negate()
                : new BigInteger(key.substring(1 + DIGITS_OF_LENGTH));
    }

    /** Replaces each digit with what is missing to nine, which reverses the order. */
    private static String complement(String digits) {
        StringBuilder reversed = new StringBuilder(digits.length());
        digits.chars().forEach(digit -> reversed.append((char) ('0' + '9' - digit)));
        return reversed.toString();
    }

    /** How a big integer leaves an aggregate, so that it is neither a text nor a rounded number: its digits as a blob. */
    static byte[] toBlob(BigInteger number) {
        return number.toString().getBytes(StandardCharsets.US_ASCII);
    }

    static BigInteger ofBlob(byte[] blob) {
        return new BigInteger(new String(blob, StandardCharsets.US_ASCII));
    }

    /** The exact value of a JSON number. What is written with a point or an exponent means the nearest double. */
    static BigDecimal exact(String json) {
        return isInteger(json) ? new BigDecimal(json) : new BigDecimal(Double.parseDouble(json));
    }

    private static boolean isInteger(String json) {
        return json.chars().allMatch(c -> c == '-' || Character.isDigit(c));
    }
}
