package io.ontologia.nameservice;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.Locale;

/** The four parts of a record that move independently of each other. */
public enum Concern {
    /** Where the latest commit is. Its watermark is the commit's {@code t}; for a graph source, the {@code sync_t}. */
    HEAD,
    /** Where the published index is. Its watermark counts publications, also those that rebuild the same {@code t}. */
    INDEX,
    /** What is going on: state, soft locks, progress. Its watermark counts changes. */
    STATUS,
    /** Settings. Its watermark counts changes. May hold secrets. */
    CONFIG;

    /** The concern as it appears in records and URLs, for example {@code head}. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The name of its watermark in records, for example {@code head_v}. */
    public String watermarkName() {
        return wireName() + "_v";
    }

    /**
     * The concern of a {@link #wireName()}.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when there is none
     */
    public static Concern parse(String wireName) {
        for (Concern concern : values()) {
            if (concern.wireName().equals(wireName)) {
                return concern;
            }
        }
        throw new OntologiaException(
                ErrorKind.INVALID_INPUT,
                "unknown concern '" + wireName + "'",
                "a record has four",
                "use head, index, status or config");
    }
}
