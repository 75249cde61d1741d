package io.ontologia.core;

import io.ontologia.core.internal.events.CronField;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.util.Optional;

/**
 * When a schedule fires: minute, hour, day of month, month and day of week, as cron has them. A field is {@code *}, or a
 * list of values, ranges and steps ({@code 5}, {@code 1-5}, {@code *}{@code /10}, {@code 8-18/2}); months and days of the
 * week also have names ({@code jan}, {@code mon-fri}), and Sunday is 0 or 7. When both day fields are other than {@code *},
 * a day that fits one of them is enough.
 *
 * <p>The times are those on the wall of a time zone. Where its clocks are set forward, the times that are left out fire
 * together, once, in the moment after the gap. Where they are set back, a time that comes twice fires the first time only.
 */
public final class Cron {
    /** The rarest day there is, 29 February, is at most 8 years away. */
    private static final int MOST_YEARS = 9;

    private final String text;
    private final CronField minutes;
    private final CronField hours;
    private final CronField daysOfMonth;
    private final CronField months;
    private final CronField daysOfWeek;

    private Cron(String text, String[] fields) {
        this.text = text;
        this.minutes = CronField.parse(CronField.Kind.MINUTE, fields[0]);
        this.hours = CronField.parse(CronField.Kind.HOUR, fields[1]);
        this.daysOfMonth = CronField.parse(CronField.Kind.DAY_OF_MONTH, fields[2]);
        this.months = CronField.parse(CronField.Kind.MONTH, fields[3]);
        this.daysOfWeek = CronField.parse(CronField.Kind.DAY_OF_WEEK, fields[4]);
    }

    /**
     * Reads an expression of five fields.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when it is none, or never fires
     */
    public static Cron parse(String text) {
        String[] fields = text.trim().split("\\s+", -1);
        if (fields.length != 5) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid cron expression '" + text + "'",
                    "it does not have five fields",
                    "give minute, hour, day of month, month and day of week");
        }
        Cron cron = new Cron(String.join(" ", fields), fields);
        if (cron.nextOnTheWall(LocalDateTime.of(2000, 1, 1, 0, 0)).isEmpty()) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid cron expression '" + text + "'",
                    "no month of it has such a day",
                    "correct the day or the month");
        }
        return cron;
    }

    /** The first moment after the given one in which it fires. */
    public Instant next(Instant after, ZoneId zone) {
        LocalDateTime wall = LocalDateTime.ofInstant(after, zone).truncatedTo(ChronoUnit.MINUTES);
        while (true) {
            LocalDateTime fitting = nextOnTheWall(wall)
                    .orElseThrow(() -> new IllegalStateException("a cron expression that never fires: " + text));
            Instant moment = momentOf(fitting, zone);
            if (moment.isAfter(after)) {
                return moment;
            }
            wall = fitting.plusMinutes(1);
        }
    }

    /** Where the wall's time comes twice, the first; where it does not come, the end of the gap. */
    private static Instant momentOf(LocalDateTime wall, ZoneId zone) {
        ZoneOffsetTransition transition = zone.getRules().getTransition(wall);
        return transition != null && transition.isGap()
                ? transition.getInstant()
                : wall.atZone(zone).withEarlierOffsetAtOverlap().toInstant();
    }

    private Optional<LocalDateTime> nextOnTheWall(LocalDateTime from) {
        LocalDateTime time = from;
        LocalDateTime end = from.plusYears(MOST_YEARS);
        while (time.isBefore(end)) {
            if (!months.allows(time.getMonthValue())) {
                time = time.toLocalDate().withDayOfMonth(1).plusMonths(1).atStartOfDay();
            } else if (!allowsDay(time.toLocalDate())) {
                time = time.toLocalDate().plusDays(1).atStartOfDay();
            } else if (!hours.allows(time.getHour())) {
                time = time.truncatedTo(ChronoUnit.HOURS).plusHours(1);
            } else if (!minutes.allows(time.getMinute())) {
                time = time.plusMinutes(1);
            } else {
                return Optional.of(time);
            }
        }
        return Optional.empty();
    }

    private boolean allowsDay(LocalDate day) {
        boolean ofMonth = daysOfMonth.allows(day.getDayOfMonth());
        boolean ofWeek = daysOfWeek.allows(day.getDayOfWeek().getValue() % 7);
        boolean oneSaysNothing = daysOfMonth.open() || daysOfWeek.open();
        return oneSaysNothing ? ofMonth && ofWeek : ofMonth || ofWeek;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Cron cron && cron.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** The expression. */
    @Override
    public String toString() {
        return text;
    }
}
