package io.ontologia.cli.internal.query;

import picocli.CommandLine.Command;

/** {@code onto query}. */
@Command(
        name = "query",
        description =
                "Ask for entities, relations, or paths along relations: as they are, as they were, or all their versions.",
        subcommands = {QueryEntitiesCommand.class, QueryRelationsCommand.class, QueryTraverseCommand.class},
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto query entities Customer --where \"tier = 'Gold' and age >= 30\"",
            "  onto query relations Subscription --filter $.left.tier eq '\"Gold\"' --as-of 12",
            "  onto query traverse Customer --via Subscription"
        })
public final class QueryCommand {}
