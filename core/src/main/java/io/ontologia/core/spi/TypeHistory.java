package io.ontologia.core.spi;

import io.ontologia.core.SchemaVersion;
import io.ontologia.core.TypeRef;
import java.util.List;

/**
 * Everything that was ever said about one type.
 *
 * @param versions every version of its schema, oldest first, at least one; the last is the current one while it is known
 */
public record TypeHistory(TypeRef type, Status status, List<SchemaVersion> versions) {

    /** Whether a store knows a type now. */
    public enum Status {
        /** It does. */
        KNOWN,
        /** It did; the numbers of its versions are not given to others. */
        DROPPED
    }

    public TypeHistory {
        versions = List.copyOf(versions);
        if (versions.isEmpty()) {
            throw new IllegalArgumentException("no versions of " + type);
        }
    }

    /** The newest version. */
    public SchemaVersion last() {
        return versions.get(versions.size() - 1);
    }
}
