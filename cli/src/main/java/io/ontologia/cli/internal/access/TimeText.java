package io.ontologia.cli.internal.access;

import io.ontologia.cli.internal.UsageError;
import io.ontologia.kernel.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads times as people write them on a command line. What has no zone is read in a given one; a date is its first moment.
 * Days, weeks, months and years go back on the calendar, so that yesterday at noon is noon also where clocks were changed
 * since; hours, minutes and seconds go back on the clock. A time of day that the zone has not, or has twice, is refused.
 */
public final class TimeText {
    /** The accepted forms, for messages. */
    public static final String FORMS =
            "2026-02-10T12:34:56Z, 2026-02-10T12:34+01:00, '2026-02-10 12:34 Europe/Berlin', "
                    + "'2026-02-10 12:34', 2026-02-10, now, today, yesterday, 'yesterday 12:34' or '2 hours ago'";

    private static final Pattern AGO = Pattern.compile("([0-9]{1,6}|an?|one) *([a-z]+) +ago");

    private static final Pattern DATE = Pattern.compile("([0-9]{4}-[0-9]{2}-[0-9]{2}|today|yesterday)"
            + "(?:[Tt ]([0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]{1,9})?)?))?"
            + "(?: *([Zz]|[+-][0-9]{2}(?::?[0-9]{2})?)(?:\\[[^]]*])?| +([A-Za-z][A-Za-z0-9_+/-]*)|\\[([^]]+)])?");

    private static final DateTimeFormatter SHOWN = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ssxxx", Locale.ROOT);

    private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");

    private final Clock clock;
    private final ZoneId zone;

    /** Reads times relative to a clock, and in a zone where they name none. */
    public TimeText(Clock clock, ZoneId zone) {
        this.clock = clock;
        this.zone = zone;
    }

    /**
     * A time that was read.
     *
     * @param note how it was read; empty where the text leaves no choice
     */
    public record Reading(Instant time, Optional<String> note) {}

    /** Reads a time; a usage error that names the option and the accepted forms when the text is none. */
    public Reading read(String option, String text) {
        String plain = text.strip();
        String lower = plain.toLowerCase(Locale.ROOT);
        if (lower.equals("now")) {
            return new Reading(clock.now(), Optional.empty());
        }
        try {
            Matcher ago = AGO.matcher(lower);
            if (ago.matches()) {
                Optional<ZonedDateTime> time = goBack(ago.group(1), ago.group(2));
                if (time.isPresent()) {
                    return noted(plain, time.get());
                }
            }
            // Names of zones have capital letters; the words before them have none.
            Matcher date =
                    DATE.matcher(lower.startsWith("today") || lower.startsWith("yesterday") ? lowerWord(plain) : plain);
            if (date.matches()) {
                return onDate(option, plain, date);
            }
        } catch (DateTimeException | ArithmeticException e) {
            throw invalid(option, text, "does not exist");
        }
        throw invalid(option, text, "is no time");
    }

    private static String lowerWord(String text) {
        int end = text.indexOf(' ') < 0 ? text.length() : text.indexOf(' ');
        return text.substring(0, end).toLowerCase(Locale.ROOT) + text.substring(end);
    }

    private Optional<ZonedDateTime> goBack(String amount, String unit) {
        int count = Character.isDigit(amount.charAt(0)) ? Integer.parseInt(amount) : 1;
        ZonedDateTime now = clock.now().atZone(zone);
        return Optional.ofNullable(
                switch (unit) {
                    case "s", "sec", "secs", "second", "seconds" -> now.minusSeconds(count);
                    case "m", "min", "mins", "minute", "minutes" -> now.minusMinutes(count);
                    case "h", "hour", "hours" -> now.minusHours(count);
                    case "d", "day", "days" -> now.minus(Period.ofDays(count));
                    case "w", "week", "weeks" -> now.minus(Period.ofWeeks(count));
                    case "month", "months" -> now.minus(Period.ofMonths(count));
                    case "y", "year", "years" -> now.minus(Period.ofYears(count));
                    default -> null;
                });
    }

    private Reading onDate(String option, String text, Matcher parts) {
        @Nullable String offset = parts.group(3);
        @Nullable String region = parts.group(4) == null ? parts.group(5) : parts.group(4);
        ZoneId in = offset != null
                ? ZoneOffset.of(offset.toUpperCase(Locale.ROOT))
                : region != null ? ZoneId.of(region) : zone;
        LocalDate today = clock.now().atZone(in).toLocalDate();
        LocalDate date = switch (parts.group(1)) {
            case "today" -> today;
            case "yesterday" -> today.minusDays(1);
            default -> LocalDate.parse(parts.group(1));
        };
        ZonedDateTime time = parts.group(2) == null
                ? date.atStartOfDay(in)
                : certain(
                        option, text, date.atTime(LocalTime.parse(parts.group(2).replace(',', '.'))), in);
        requireYear(time);
        boolean isExact = parts.group(2) != null && offset != null && Character.isDigit(text.charAt(0));
        return isExact ? new Reading(time.toInstant(), Optional.empty()) : noted(text, time);
    }

    private static ZonedDateTime certain(String option, String text, LocalDateTime local, ZoneId zone) {
        List<ZoneOffset> offsets = zone.getRules().getValidOffsets(local);
        if (offsets.size() == 1) {
            return local.atZone(zone);
        }
        if (offsets.isEmpty()) {
            throw new UsageError(
                    option + " is '" + text + "', a time that " + zone.getId()
                            + " does not have: clocks were put forward over it",
                    "give another time, or the offset from UTC such as +01:00");
        }
        throw new UsageError(
                option + " is '" + text + "', a time that " + zone.getId() + " has twice: clocks were put back over it",
                "write " + SHOWN.format(OffsetDateTime.of(local, offsets.get(0))) + " for the first, or "
                        + SHOWN.format(OffsetDateTime.of(local, offsets.get(1))) + " for the second");
    }

    private Reading noted(String text, ZonedDateTime time) {
        requireYear(time);
        String shown = SHOWN.format(time)
                + (time.getZone() instanceof ZoneOffset
                        ? ""
                        : " in " + time.getZone().getId());
        return new Reading(
                time.toInstant().truncatedTo(ChronoUnit.MICROS), Optional.of("'" + text + "' is read as " + shown));
    }

    private static void requireYear(ZonedDateTime time) {
        if (time.toInstant().isBefore(FIRST)) {
            throw new DateTimeException("before the year 1");
        }
    }

    private static UsageError invalid(String option, String text, String flaw) {
        return new UsageError(option + " is '" + text + "', which " + flaw, "write it like " + FORMS);
    }
}
