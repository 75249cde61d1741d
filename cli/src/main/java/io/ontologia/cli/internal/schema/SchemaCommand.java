package io.ontologia.cli.internal.schema;

import picocli.CommandLine.Command;

/** {@code onto schema}. */
@Command(
        name = "schema",
        description = "Register and remove types, and look at their schemas and versions.",
        subcommands = {
            SchemaApplyCommand.class,
            SchemaExportCommand.class,
            SchemaHistoryCommand.class,
            SchemaDropCommand.class
        },
        footerHeading = "%nExamples:%n",
        footer = {"  onto schema apply --models models.yaml", "  onto schema history --kind entity --type Customer"})
public final class SchemaCommand {}
