package io.ontologia.cli.internal.objects;

import io.ontologia.cli.internal.Invocation;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code onto index}. */
@Command(
        name = "index",
        hidden = true,
        description = "Object stores only: check and repair the indexes of types.",
        subcommands = {IndexCommand.Verify.class, IndexCommand.Repair.class},
        footerHeading = "%nExamples:%n",
        footer = "  onto index verify --storage-uri s3://bucket/prefix")
public final class IndexCommand {

    /** {@code onto index verify}. */
    @Command(
            name = "verify",
            description = "Object stores only: compare indexes with commits.",
            footerHeading = "%nExamples:%n",
            footer = "  onto index verify --storage-uri s3://bucket/prefix")
    static final class Verify extends ObjectStoreOnly {
        Verify(Invocation invocation) {
            super(invocation, "index verify");
        }
    }

    /** {@code onto index repair}. */
    @Command(
            name = "repair",
            description = "Object stores only: bring indexes up to date.",
            footerHeading = "%nExamples:%n",
            footer = "  onto index repair --apply --storage-uri s3://bucket/prefix")
    static final class Repair extends ObjectStoreOnly {
        @Option(names = "--apply", description = "Do it.")
        boolean apply;

        Repair(Invocation invocation) {
            super(invocation, "index repair");
        }
    }
}
