package io.ontologia.core;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.Map;

/** A row that a commit depends on was changed after the commit that the caller read. Nothing was stored. */
public final class RowsChangedException extends OntologiaException {
    /**
     * @param row the row that was changed
     * @param since the commit that the caller read
     * @param how what happened to the row since then, for example {@code commit 7 changed it}
     */
    public RowsChangedException(RowRef row, long since, String how) {
        super(
                ErrorKind.CONFLICT,
                "cannot commit",
                row + " is not as it was at commit " + since + ": " + how,
                "read it again and decide; nothing was stored",
                Map.of("type", row.type().toString(), "identity", row.identity().toString(), "unchanged_since", since),
                null);
    }
}
