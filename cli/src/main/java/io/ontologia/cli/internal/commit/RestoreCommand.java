package io.ontologia.cli.internal.commit;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.access.Moment;
import io.ontologia.cli.internal.filter.TypeScope;
import io.ontologia.core.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code onto restore}. */
@Command(
        name = "restore",
        description =
                "Make rows of types as they were at an earlier time, by a new commit: rows that were added since end, all others "
                        + "get their earlier values. Shows what would change, unless --apply is given.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto restore --type Customer --as-of 12",
            "  onto restore --type \"Customer:tier = 'Gold'\" --as-of 2026-02-10T12:34:56Z --apply"
        })
public final class RestoreCommand implements OntoCommand {
    private final Invocation invocation;

    @Option(
            names = "--type",
            paramLabel = "T[:where]",
            required = true,
            description =
                    "The type, or those of its rows that pass the filter now or passed it then. May be given several times.")
    private List<String> types = new ArrayList<>();

    @Option(
            names = "--as-of",
            paramLabel = "N|TIMESTAMP",
            required = true,
            description = "The commit or the time: 12, 2026-02-10T12:34:56Z.")
    private String asOf = "";

    @Mixin
    private final ChangeOptions options = new ChangeOptions();

    RestoreCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        Moment moment = Moment.parse("--as-of", asOf, invocation);
        List<TypeScope> scopes =
                types.stream().map(text -> TypeScope.parse("--type", text)).toList();
        return options.run(invocation, session -> ask(session, scopes, moment), Map.of("restores_as_of", asOf));
    }

    private void ask(Session session, List<TypeScope> scopes, Moment moment) {
        long commit = moment instanceof Moment.AfterCommit after
                ? Moment.requireKnown(session, after.id())
                : moment.commitIn(session, invocation.output());
        for (TypeScope scope : scopes) {
            scope.types(session)
                    .forEach(type -> session.restoration().restore(type, scope.filter(), commit, options.cascade()));
        }
    }
}
