package io.ontologia.cli.internal.commit;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.UsageError;
import io.ontologia.core.OntologyType;
import io.ontologia.core.RelationType;
import io.ontologia.core.RowRef;
import io.ontologia.core.Session;
import io.ontologia.core.TypeKind;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code onto retract}. */
@Command(
        name = "retract",
        description =
                "End rows: queries of the present do not show them any more, those of the past do, and an import brings them "
                        + "back. Shows what would end, unless --apply is given.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto retract Customer c1 c2",
            "  onto retract Customer c1 --cascade --apply --reason \"account closed\"",
            "  onto retract Subscription c1 p1 --apply"
        })
public final class RetractCommand implements OntoCommand {
    private final Invocation invocation;

    @Parameters(index = "0", paramLabel = "T", description = "The name of the type.")
    private String type = "";

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "KEY",
            description =
                    "The keys of entities; or the left key, the right key and, where the type has one, the instance key of one "
                            + "relation.")
    private List<String> keys = new ArrayList<>();

    @Option(
            names = "--kind",
            paramLabel = "entity|relation",
            description = "The kind of the type, where an entity type and a relation type have the same name.")
    private @Nullable TypeKind kind;

    @Mixin
    private final ChangeOptions options = new ChangeOptions();

    RetractCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        return options.run(
                invocation, session -> rows(session).forEach(row -> session.retract(options.cascade(), row)), Map.of());
    }

    private List<RowRef> rows(Session session) {
        List<OntologyType> named = session.types().stream()
                .filter(known -> known.name().equals(type) && (kind == null || known.kind() == kind))
                .toList();
        if (named.isEmpty()) {
            throw new OntologiaException(
                    ErrorKind.NOT_FOUND,
                    "unknown type " + type,
                    "the store has no type of that name",
                    "see 'onto info --schema' for those that it has");
        }
        if (named.size() > 1) {
            throw new UsageError("'" + type + "' is an entity type and a relation type", "add --kind");
        }
        if (named.get(0) instanceof RelationType relation) {
            int wanted = relation.instanceKeyField().isPresent() ? 3 : 2;
            if (keys.size() != wanted) {
                throw new UsageError(
                        "a " + relation.ref() + " has " + wanted + " keys, and " + keys.size() + " are given",
                        "name one relation by its left key, its right key"
                                + (wanted == 3 ? " and its instance key" : ""));
            }
            return List.of(RowRef.relation(type, keys.get(0), keys.get(1), wanted == 3 ? keys.get(2) : ""));
        }
        return keys.stream().map(key -> RowRef.entity(type, key)).toList();
    }
}
