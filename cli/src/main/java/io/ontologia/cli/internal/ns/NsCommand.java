package io.ontologia.cli.internal.ns;

import picocli.CommandLine.Command;

/** {@code onto ns}. */
@Command(
        name = "ns",
        description = "The nameservice: where every store and index stands.",
        subcommands = {
            NsCreateCommand.class,
            NsListCommand.class,
            NsShowCommand.class,
            NsPushCommand.class,
            NsForwardCommand.class,
            NsDepsCommand.class,
            NsRetractCommand.class,
            NsRestoreCommand.class,
            NsPurgeCommand.class,
            NsWatchCommand.class,
            NsLockCommand.class,
            NsSyncCommand.class,
            NsDoctorCommand.class,
            NsPullCommand.class,
            NsPushUpstreamCommand.class,
            NsMigrateCommand.class,
            NsExportCommand.class,
            NsImportCommand.class,
            NsServeCommand.class,
            NsCreateTableCommand.class
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto ns create mydb --ns file:///var/lib/names",
            "  onto ns list --ns file:///var/lib/names",
            "  onto ns show mydb --json"
        })
public final class NsCommand {}
