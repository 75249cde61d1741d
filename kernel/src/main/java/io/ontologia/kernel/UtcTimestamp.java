package io.ontologia.kernel;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAccessor;

/**
 * The one text form of a moment: UTC, microseconds, fixed width, for example {@code 2026-02-10T12:34:56.789012+00:00}.
 * Because the width is fixed, comparing two such texts compares the moments.
 */
public final class UtcTimestamp {
    private static final DateTimeFormatter FORMAT = new DateTimeFormatterBuilder()
            .appendPattern("uuuu-MM-dd'T'HH:mm:ss.")
            .appendFraction(ChronoField.NANO_OF_SECOND, 6, 6, false)
            .appendLiteral("+00:00")
            .toFormatter();
    private static final DateTimeFormatter NANOS = new DateTimeFormatterBuilder()
            .appendPattern("uuuu-MM-dd'T'HH:mm:ss.")
            .appendFraction(ChronoField.NANO_OF_SECOND, 9, 9, false)
            .appendLiteral("+00:00")
            .toFormatter();
    private static final DateTimeFormatter PARSE = new DateTimeFormatterBuilder()
            .append(DateTimeFormatter.ISO_LOCAL_DATE)
            .appendLiteral('T')
            .append(DateTimeFormatter.ISO_LOCAL_TIME)
            .optionalStart()
            .appendOffset("+HH:MM", "Z")
            .toFormatter()
            .withResolverStyle(ResolverStyle.STRICT);
    private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant AFTER_LAST = Instant.parse("+10000-01-01T00:00:00Z");

    private UtcTimestamp() {}

    /**
     * The text of a moment; what is finer than a microsecond is cut off.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} outside the years 1 to 9999
     */
    public static String format(Instant moment) {
        return FORMAT.format(requireYear(moment).atOffset(ZoneOffset.UTC));
    }

    /**
     * As {@link #format}, with nine digits of a second where six would lose something. Comparing two such texts compares the
     * moments, whichever of the two forms they have: a plus sign comes before every digit.
     */
    public static String formatExactly(Instant moment) {
        boolean fits = moment.truncatedTo(ChronoUnit.MICROS).equals(moment);
        return (fits ? FORMAT : NANOS).format(requireYear(moment).atOffset(ZoneOffset.UTC));
    }

    private static Instant requireYear(Instant moment) {
        if (moment.isBefore(FIRST) || !moment.isBefore(AFTER_LAST)) {
            throw invalid(moment.toString(), "the year must be from 1 to 9999");
        }
        return moment;
    }

    /**
     * The moment of a text; what is finer than a microsecond is cut off. Accepts what other writers produce too: any offset or
     * {@code Z}, no offset (meaning UTC), and zero to nine digits of a second.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when the text is no timestamp
     */
    public static Instant parse(String text) {
        return parseExactly(text).truncatedTo(ChronoUnit.MICROS);
    }

    /** As {@link #parse}, with every digit of a second. */
    public static Instant parseExactly(String text) {
        try {
            TemporalAccessor parsed = PARSE.parseBest(text, OffsetDateTime::from, LocalDateTime::from);
            return parsed instanceof OffsetDateTime offset
                    ? offset.toInstant()
                    : ((LocalDateTime) parsed).toInstant(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            throw invalid(text, "it is not an ISO-8601 date and time");
        }
    }

    private static OntologiaException invalid(String text, String cause) {
        return new OntologiaException(
                ErrorKind.INVALID_INPUT,
                "invalid timestamp '" + text + "'",
                cause,
                "write it like 2026-02-10T12:34:56.789012+00:00");
    }
}
