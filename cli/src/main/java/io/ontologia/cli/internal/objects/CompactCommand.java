package io.ontologia.cli.internal.objects;

import io.ontologia.cli.internal.Invocation;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code onto compact}. */
@Command(
        name = "compact",
        hidden = true,
        description = "Object stores only: rewrite many small files into few.",
        footerHeading = "%nExamples:%n",
        footer = "  onto compact --type Customer --storage-uri s3://bucket/prefix")
public final class CompactCommand extends ObjectStoreOnly {
    @Option(names = "--type", paramLabel = "T", description = "Only this type.")
    @Nullable String type;

    @Option(names = "--apply", description = "Do it.")
    boolean apply;

    CompactCommand(Invocation invocation) {
        super(invocation, "compact");
    }
}
