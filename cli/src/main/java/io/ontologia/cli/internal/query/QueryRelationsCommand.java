package io.ontologia.cli.internal.query;

import io.ontologia.cli.internal.Invocation;
import io.ontologia.core.TypeKind;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code onto query relations}. */
@Command(
        name = "relations",
        description =
                "List relations of a type. Paths that start with $.left or $.right look at the entity on that end.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto query relations Subscription --where \"active is true and left.tier = 'Gold'\"",
            "  onto query relations Subscription --filter $.right.name starts_with '\"Ana\"' --json",
            "  onto query relations Subscription --history-since 100"
        })
final class QueryRelationsCommand extends RowQueryCommand {
    @Mixin
    private final TableOptions table = new TableOptions();

    QueryRelationsCommand(Invocation invocation) {
        super(invocation, TypeKind.RELATION, Shows.ROWS);
    }

    @Override
    TableOptions table() {
        return table;
    }
}
