package io.ontologia.nameservice;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.Map;

/** A record that must exist does not; nothing was changed. Of kind {@link ErrorKind#NOT_FOUND}. */
public final class NameNotFoundException extends OntologiaException {
    private static final long serialVersionUID = 1;

    /** @param alias the name that nobody has */
    public NameNotFoundException(Alias alias) {
        super(
                ErrorKind.NOT_FOUND,
                "no record '" + alias + "'",
                "it was never created, or was purged",
                "create it, or check the alias",
                Map.of("alias", alias.toString(), "reason", "not_found"),
                null);
    }
}
