package io.ontologia.cli.internal.query;

import io.ontologia.cli.internal.Invocation;
import io.ontologia.core.TypeKind;
import picocli.CommandLine.Command;

/** {@code onto explain entities}. */
@Command(
        name = "entities",
        description = "Show how the entities that a query asks for are found. No rows are read.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto explain entities Customer --where \"tier = 'Gold' and age >= 30\"",
            "  onto explain entities Customer --as-of 12 --json"
        })
final class ExplainEntitiesCommand extends RowQueryCommand {
    ExplainEntitiesCommand(Invocation invocation) {
        super(invocation, TypeKind.ENTITY, Shows.PLAN);
    }
}
