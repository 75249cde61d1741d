package io.ontologia.cli.internal.objects;

import picocli.CommandLine.Command;

/** {@code onto index}. */
@Command(
        name = "index",
        description = "Object stores only: check and repair the indices of types.",
        subcommands = {IndexVerifyCommand.class, IndexRepairCommand.class},
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto index verify --storage-uri s3://bucket/prefix",
            "  onto index repair --apply --storage-uri s3://bucket/prefix"
        })
public final class IndexCommand {}
