package io.ontologia.objectstore;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.Map;

/**
 * A lease was not safe any more when it was needed. Of kind {@link ErrorKind#CONFLICT}: the work must be based on a new
 * lease and a new read.
 */
public final class LeaseExpiredException extends OntologiaException {
    public LeaseExpiredException(String key, String cause) {
        super(
                ErrorKind.CONFLICT,
                "the lease on '" + key + "' is not safe",
                cause,
                "acquire the lock again and start over from what is stored now",
                Map.of("lock", key),
                null);
    }
}
