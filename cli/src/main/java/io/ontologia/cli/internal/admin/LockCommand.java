package io.ontologia.cli.internal.admin;

import picocli.CommandLine.Command;

/** {@code onto lock}. */
@Command(
        name = "lock",
        description = "See who holds the write lock, and break it when its holder is dead.",
        subcommands = {LockShowCommand.class, LockBreakCommand.class},
        footerHeading = "%nExamples:%n",
        footer = {"  onto lock show", "  onto lock break --token 3f9c2a7b51d0e846"})
public final class LockCommand {}
