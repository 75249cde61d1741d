package io.ontologia.cli.internal.store;

import picocli.CommandLine.Command;

/** {@code onto store}. */
@Command(
        name = "store",
        description = "Look at the object store itself, below any data in it.",
        subcommands = StoreCheckCommand.class,
        footerHeading = "%nExamples:%n",
        footer = "  onto store check --storage-uri s3://bucket/prefix")
public final class StoreCommand {}
