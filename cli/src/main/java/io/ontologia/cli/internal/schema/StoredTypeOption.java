package io.ontologia.cli.internal.schema;

import io.ontologia.cli.internal.UsageError;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.Session;
import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that name one type of the store. */
final class StoredTypeOption {
    @Option(names = "--kind", paramLabel = "K", description = "The kind of the type: entity or relation.")
    @Nullable TypeKind kind;

    @Option(names = "--type", paramLabel = "T", description = "The name of the type.")
    @Nullable String type;

    boolean isGiven() {
        return kind != null || type != null;
    }

    /** The type; it is a usage error when one part of its name is missing. */
    TypeRef require() {
        if (kind == null || type == null) {
            throw new UsageError(
                    (kind == null ? "--kind" : "--type") + " is missing", "name the type with --kind and --type");
        }
        return new TypeRef(kind, type);
    }

    /** Every version of a type's schema, oldest first; there is at least one. */
    static List<SchemaVersion> versions(Session session, TypeRef type) {
        List<SchemaVersion> versions = session.storage().schemaVersions(type);
        if (versions.isEmpty()) {
            String known = String.join(
                    ", ",
                    session.types().stream()
                            .filter(other -> other.kind() == type.kind())
                            .map(other -> other.name())
                            .sorted()
                            .toList());
            throw new OntologiaException(
                    ErrorKind.NOT_FOUND,
                    "unknown " + type,
                    known.isEmpty() ? "the store knows none of that kind" : "known are " + known,
                    "check the spelling");
        }
        return versions;
    }

    /** One version of a type's schema. */
    static SchemaVersion version(Session session, TypeRef type, long wanted) {
        List<SchemaVersion> versions = versions(session, type);
        return versions.stream()
                .filter(version -> version.version() == wanted)
                .findFirst()
                .orElseThrow(() -> new OntologiaException(
                        ErrorKind.NOT_FOUND,
                        "unknown version " + wanted + " of " + type,
                        "the newest is " + versions.get(versions.size() - 1).version(),
                        "see 'onto schema history' for those that exist"));
    }
}
