package io.ontologia.core;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An answer would lack rows: they cannot be shown in the schema version of the session. {@link Query#omitUnreadable} leaves them
 * out.
 */
public final class UnreadableRowsException extends OntologiaException {
    private static final String REMEDY = "; or ask for the others with omitUnreadable() or --omit-unreadable";

    private UnreadableRowsException(
            String problem, String cause, String remedy, Map<String, Object> details, OntologiaException failure) {
        super(ErrorKind.CONFLICT, problem, cause, remedy, details, failure);
    }

    private UnreadableRowsException(String problem, String cause, String remedy, Map<String, Object> details) {
        super(ErrorKind.CONFLICT, problem, cause, remedy, details, null);
    }

    /** Rows have a schema version that nothing leads from to the version of the session. */
    public static UnreadableRowsException noWay(TypeRef type, long rows, long from, long to) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("type", type.toString());
        details.put("rows", rows);
        details.put("schema_version_id", from);
        details.put("wanted_schema_version_id", to);
        return new UnreadableRowsException(
                "cannot show " + rows + (rows == 1 ? " row of " : " rows of ") + type + " in version " + to
                        + " of its schema",
                (rows == 1 ? "it has" : "they have") + " version " + from + ", and neither a recorded step nor a"
                        + " registered upgrader leads from there to version " + to,
                "register the upgrader that the migration used, in SessionOptions.upgraders" + REMEDY,
                details);
    }

    /** A row could not be brought to the version of the session. */
    public static UnreadableRowsException failed(TypeRef type, UpgradeFailedException failure) {
        return new UnreadableRowsException(
                "cannot show every row of " + type,
                String.valueOf(failure.getMessage()),
                "correct the upgrader or the step" + REMEDY,
                failure.details(),
                failure);
    }
}
