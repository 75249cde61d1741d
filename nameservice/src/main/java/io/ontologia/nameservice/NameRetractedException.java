package io.ontologia.nameservice;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.Map;

/** A push met a retracted record; nothing was changed. Of kind {@link ErrorKind#CONFLICT}. */
public final class NameRetractedException extends OntologiaException {
    private static final long serialVersionUID = 1;

    /** @param alias the record that takes no pushes */
    public NameRetractedException(Alias alias) {
        super(
                ErrorKind.CONFLICT,
                "cannot push to '" + alias + "'",
                "it is retracted",
                "restore it first",
                Map.of("alias", alias.toString(), "reason", "retracted"),
                null);
    }
}
