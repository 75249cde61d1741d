package io.ontologia.cli.internal.query;

import picocli.CommandLine.Command;

/** {@code onto explain}. */
@Command(
        name = "explain",
        description =
                "Show how a query is answered: from which files, by what plan, which fields the engine finds in columns or "
                        + "indexes of their own, and how many bytes had to be fetched. Takes the options of 'onto query'.",
        subcommands = {ExplainEntitiesCommand.class, ExplainRelationsCommand.class},
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto explain entities Customer --where \"tier = 'Gold' and age >= 30\"",
            "  onto explain relations Subscription --filter $.left.tier eq '\"Gold\"' --as-of 12 --json"
        })
public final class ExplainCommand {}
