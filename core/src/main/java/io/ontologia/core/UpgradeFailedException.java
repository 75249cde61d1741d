package io.ontologia.core;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.Map;

/** A row could not be brought to a newer schema: its upgrader failed, or what it made does not fit the type. */
public final class UpgradeFailedException extends OntologiaException {
    private static final int SHOWN = 400;

    /** @param oldFields the payload that was to be upgraded, as it is stored */
    public UpgradeFailedException(
            TypeRef type, Identity identity, long fromVersion, long toVersion, String oldFields, Exception failure) {
        super(
                ErrorKind.INVALID_INPUT,
                "cannot upgrade " + type + " '" + identity + "' from version " + fromVersion + " to " + toVersion,
                reason(failure) + "; its old data is " + shorten(oldFields),
                "correct the upgrader; nothing was changed",
                Map.of(
                        "type", type.toString(),
                        "key", identity.toString(),
                        "from_version", fromVersion,
                        "to_version", toVersion,
                        "old_fields", oldFields),
                failure);
    }

    private static String reason(Exception failure) {
        String message = failure.getMessage();
        if (failure instanceof OntologiaException && message != null) {
            return message;
        }
        return "its upgrader threw " + failure.getClass().getSimpleName()
                + (message == null ? "" : " (" + message + ")");
    }

    private static String shorten(String json) {
        return json.length() <= SHOWN ? json : json.substring(0, SHOWN) + "…";
    }
}
