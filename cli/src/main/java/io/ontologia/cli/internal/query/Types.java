package io.ontologia.cli.internal.query;

import io.ontologia.core.OntologyType;
import io.ontologia.core.Session;
import io.ontologia.core.TypeRef;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.List;

/** The types of a session by name. */
final class Types {
    private Types() {}

    static OntologyType require(Session session, TypeRef ref) {
        return session.types().stream()
                .filter(type -> type.ref().equals(ref))
                .findFirst()
                .orElseThrow(() -> unknown(session, ref));
    }

    private static OntologiaException unknown(Session session, TypeRef ref) {
        List<String> known = session.types().stream()
                .filter(type -> type.kind() == ref.kind())
                .map(OntologyType::name)
                .sorted()
                .toList();
        return new OntologiaException(
                ErrorKind.NOT_FOUND,
                "unknown " + ref,
                known.isEmpty() ? "the store knows none of that kind" : "known are " + String.join(", ", known),
                "check the spelling");
    }
}
