package io.ontologia.cli.internal;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Spans of time as people write them on the command line: {@code 45s}, {@code 30m}, {@code 12h}, {@code 7d}. */
public final class TextDuration {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,6})([smhd])");

    private TextDuration() {}

    /** Whether a text is one. */
    public static boolean isOne(String text) {
        return FORM.matcher(text).matches();
    }

    /** Reads one; anything else is a usage error that names the option. */
    public static Duration parse(String option, String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw new UsageError(
                    option + " is '" + text + "', which is no span of time", "write it like 45s, 30m, 12h or 7d");
        }
        long amount = Long.parseLong(parts.group(1));
        return switch (parts.group(2)) {
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }
}
