package io.ontologia.cli.internal.events;

import picocli.CommandLine.Command;

/** {@code onto events}. */
@Command(
        name = "events",
        description = "Look at the event bus, follow it, replay an event, and clean up.",
        subcommands = {
            NamespacesCommand.class,
            SessionsCommand.class,
            ShowCommand.class,
            DeadLettersCommand.class,
            InspectCommand.class,
            ReplayCommand.class,
            CleanupCommand.class,
            WatchCommand.class
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto events list-namespaces",
            "  onto events show --namespace shop --limit 20",
            "  onto events inspect --event-id 3f9c2a7b-51d0-4846-9f00-1c2d3e4f5a6b"
        })
public final class EventsCommand {}
