package io.ontologia.core.internal.records;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.UtcTimestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;

/** The texts that moments, dates and UUIDs are stored as. Texts of one Java type have the order of the values. */
public final class TextForms {
    private static final int LAST_YEAR = 9999;

    private TextForms() {}

    /**
     * The text of an {@code Instant}, {@code OffsetDateTime}, {@code ZonedDateTime}, {@code LocalDate} or {@code UUID}.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} for years that have more than four digits
     */
    public static String of(Object value) {
        if (value instanceof Instant moment) {
            return UtcTimestamp.formatExactly(moment);
        }
        if (value instanceof OffsetDateTime moment) {
            return UtcTimestamp.formatExactly(moment.toInstant());
        }
        if (value instanceof ZonedDateTime moment) {
            return UtcTimestamp.formatExactly(moment.toInstant());
        }
        if (value instanceof LocalDate date && (date.getYear() < 0 || date.getYear() > LAST_YEAR)) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid date '" + date + "'",
                    "the year must be from 0 to 9999",
                    "use a date with a year of four digits");
        }
        return value.toString();
    }
}
