package io.ontologia.core.internal;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The metadata of commits that the store makes about itself: what it says, and what the user adds. */
public final class AdminMetadata {
    private AdminMetadata() {}

    /**
     * Both together.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when the user's keys are among ours
     */
    public static Map<String, @Nullable Object> join(
            Map<String, ? extends @Nullable Object> ours, Map<String, ? extends @Nullable Object> users) {
        Map<String, @Nullable Object> all = new LinkedHashMap<>(ours);
        users.forEach((key, value) -> {
            if (ours.containsKey(key)) {
                throw new OntologiaException(
                        ErrorKind.INVALID_INPUT,
                        "invalid commit metadata",
                        "'" + key + "' is set by the store itself",
                        "use another name");
            }
            all.put(key, value);
        });
        return all;
    }
}
