package io.ontologia.cli.internal.query;

import io.ontologia.cli.internal.Invocation;
import io.ontologia.core.TypeKind;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code onto query entities}. */
@Command(
        name = "entities",
        description = "List entities of a type.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto query entities Customer --where \"tier = 'Gold' and age >= 30\" --order-by $.name",
            "  onto query entities Customer --filter $.tags any_eq '\"vip\"' --limit 20 --json",
            "  onto query entities Customer --as-of yesterday --columns key,name,tier",
            "  onto query entities Customer --where \"id = 'c1'\" --with-history --vertical",
            "  onto query entities Customer --format csv"
        })
final class QueryEntitiesCommand extends RowQueryCommand {
    @Mixin
    private final TableOptions table = new TableOptions();

    QueryEntitiesCommand(Invocation invocation) {
        super(invocation, TypeKind.ENTITY, Shows.ROWS);
    }

    @Override
    TableOptions table() {
        return table;
    }
}
