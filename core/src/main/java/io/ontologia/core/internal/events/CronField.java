package io.ontologia.core.internal.events;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.List;
import java.util.Locale;

/**
 * The values that one field of a cron expression allows.
 *
 * @param values one bit for each
 * @param open whether it is {@code *}, and so says nothing
 */
public record CronField(long values, boolean open) {

    /** Which field it is. */
    public enum Kind {
        /** 0-59. */
        MINUTE("minute", 0, 59, ""),
        /** 0-23. */
        HOUR("hour", 0, 23, ""),
        /** 1-31. */
        DAY_OF_MONTH("day of month", 1, 31, ""),
        /** 1-12, or names. */
        MONTH("month", 1, 12, "jan feb mar apr may jun jul aug sep oct nov dec"),
        /** 0-7, where both 0 and 7 are Sunday; or names. */
        DAY_OF_WEEK("day of week", 0, 7, "sun mon tue wed thu fri sat");

        private final String text;
        private final int first;
        private final int last;
        private final String names;

        Kind(String text, int first, int last, String names) {
            this.text = text;
            this.first = first;
            this.last = last;
            this.names = names;
        }
    }

    /**
     * Reads a field: a list of {@code *}, values and ranges, each with or without a step.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when it is none
     */
    public static CronField parse(Kind kind, String text) {
        long values = 0;
        for (String part : text.split(",", -1)) {
            values |= part(kind, text, part);
        }
        if (kind == Kind.DAY_OF_WEEK && (values & 1L << 7) != 0) {
            values = (values & ~(1L << 7)) | 1;
        }
        return new CronField(values, text.equals("*"));
    }

    private static long part(Kind kind, String field, String part) {
        String[] range = part.split("/", -1);
        if (range.length > 2) {
            throw invalid(kind, field, "'" + part + "' has more than one step");
        }
        int step = range.length == 2 ? number(kind, field, range[1]) : 1;
        if (step < 1) {
            throw invalid(kind, field, "a step is at least 1");
        }
        String[] ends = range[0].split("-", -1);
        int from;
        int to;
        if (range[0].equals("*")) {
            from = kind.first;
            // Seven days, and not Sunday twice.
            to = kind == Kind.DAY_OF_WEEK ? 6 : kind.last;
        } else if (ends.length == 1) {
            from = value(kind, field, ends[0]);
            to = range.length == 1 ? from : kind == Kind.DAY_OF_WEEK ? Math.max(6, from) : kind.last;
        } else if (ends.length == 2) {
            from = value(kind, field, ends[0]);
            to = value(kind, field, ends[1]);
            if (kind == Kind.DAY_OF_WEEK && to == 0 && from > 0) {
                to = 7;
            }
        } else {
            throw invalid(kind, field, "'" + part + "' is no range");
        }
        if (from > to) {
            throw invalid(kind, field, "the range '" + range[0] + "' runs backwards");
        }
        long values = 0;
        for (int value = from; value <= to; value += step) {
            values |= 1L << value;
        }
        return values;
    }

    private static int value(Kind kind, String field, String text) {
        int name = List.of(kind.names.split(" ", -1)).indexOf(text.toLowerCase(Locale.ROOT));
        int value = name >= 0 && !text.isEmpty() ? name + kind.first : number(kind, field, text);
        if (value < kind.first || value > kind.last) {
            throw invalid(kind, field, text + " is not between " + kind.first + " and " + kind.last);
        }
        return value;
    }

    private static int number(Kind kind, String field, String text) {
        if (!text.matches("[0-9]{1,4}")) {
            throw invalid(kind, field, "'" + text + "' is not understood");
        }
        return Integer.parseInt(text);
    }

    private static OntologiaException invalid(Kind kind, String field, String cause) {
        return new OntologiaException(
                ErrorKind.INVALID_INPUT,
                "invalid " + kind.text + " '" + field + "' of a cron expression",
                cause,
                "use *, numbers, ranges like 1-5, steps like */10, lists with commas, or names of days and months");
    }

    /** Whether a value is allowed. */
    public boolean allows(int value) {
        return (values & 1L << value) != 0;
    }
}
