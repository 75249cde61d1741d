package io.ontologia.cli.internal.ns;

import picocli.CommandLine.Command;

/** {@code onto ns lock}. */
@Command(
        name = "lock",
        description = "The soft locks of a record: who builds its index, or migrates it.",
        subcommands = {NsLockShowCommand.class, NsLockBreakCommand.class},
        footerHeading = "%nExamples:%n",
        footer = {"  onto ns lock show mydb", "  onto ns lock break mydb --token 3f9c2a7b51d0"})
final class NsLockCommand {}
