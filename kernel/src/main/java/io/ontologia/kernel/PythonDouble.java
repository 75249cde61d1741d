package io.ontologia.kernel;

import com.fasterxml.jackson.core.io.NumberOutput;
import java.math.BigDecimal;
import java.math.MathContext;

/**
 * The text of a double as Python's {@code repr} writes it: the shortest digits that read back as the same double, plain
 * from 0.0001 up to 1e16 and with an exponent of at least two digits elsewhere.
 */
final class PythonDouble {
    private PythonDouble() {}

    static String text(double value) {
        if (!Double.isFinite(value)) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "value cannot be written as JSON",
                    value + " is no JSON number",
                    "use null or a text instead");
        }
        // Double.toString is not the shortest form on JDK 17 (fixed in 19); Jackson brings the right digits.
        String java = shortest(value);
        int exponentAt = java.indexOf('E');
        boolean plainInPython = value == 0 || (Math.abs(value) >= 1e-4 && Math.abs(value) < 1e16);
        if (exponentAt < 0 && plainInPython) {
            return java;
        }
        return layOut(java, exponentAt, plainInPython);
    }

    /** Java always writes two digits; only the very smallest doubles can do with one that is not a zero behind. */
    private static String shortest(double value) {
        String java = NumberOutput.toString(value, true);
        if (value != 0 && Math.abs(value) < 1e-321) {
            BigDecimal rounded = new BigDecimal(java).round(new MathContext(1));
            String oneDigit = rounded.unscaledValue() + ".0E" + -rounded.scale();
            return Double.parseDouble(oneDigit) == value ? oneDigit : java;
        }
        return java;
    }

    private static String layOut(String java, int exponentAt, boolean plain) {
        int exponent = exponentAt < 0 ? 0 : Integer.parseInt(java.substring(exponentAt + 1));
        String mantissa = exponentAt < 0 ? java : java.substring(0, exponentAt);
        boolean negative = mantissa.charAt(0) == '-';
        int dot = mantissa.indexOf('.');
        String whole = mantissa.substring(negative ? 1 : 0, dot);
        String all = whole + mantissa.substring(dot + 1);
        int leading = 0;
        while (leading < all.length() - 1 && all.charAt(leading) == '0') {
            leading++;
        }
        int end = all.length();
        while (end > leading + 1 && all.charAt(end - 1) == '0') {
            end--;
        }
        String digits = all.substring(leading, end);
        // The value is 0.DIGITS times ten to this power.
        int point = whole.length() - leading + exponent;
        StringBuilder out = new StringBuilder(26);
        if (negative) {
            out.append('-');
        }
        return (plain ? plain(out, digits, point) : scientific(out, digits, point)).toString();
    }

    private static StringBuilder plain(StringBuilder out, String digits, int point) {
        if (point <= 0) {
            return out.append("0.").append("0".repeat(-point)).append(digits);
        }
        if (point >= digits.length()) {
            return out.append(digits)
                    .append("0".repeat(point - digits.length()))
                    .append(".0");
        }
        return out.append(digits, 0, point).append('.').append(digits, point, digits.length());
    }

    private static StringBuilder scientific(StringBuilder out, String digits, int point) {
        out.append(digits.charAt(0));
        if (digits.length() > 1) {
            out.append('.').append(digits, 1, digits.length());
        }
        int exponent = point - 1;
        out.append('e').append(exponent < 0 ? '-' : '+');
        if (Math.abs(exponent) < 10) {
            out.append('0');
        }
        return out.append(Math.abs(exponent));
    }
}
