package io.ontologia.cli.internal.query;

import io.ontologia.cli.internal.Invocation;
import io.ontologia.core.TypeKind;
import picocli.CommandLine.Command;

/** {@code onto explain relations}. */
@Command(
        name = "relations",
        description = "Show how the relations that a query asks for are found. No rows are read.",
        footerHeading = "%nExamples:%n",
        footer = {"  onto explain relations Subscription --where \"seat_count >= 5\""})
final class ExplainRelationsCommand extends RowQueryCommand {
    ExplainRelationsCommand(Invocation invocation) {
        super(invocation, TypeKind.RELATION, Shows.PLAN);
    }
}
