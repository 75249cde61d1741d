package io.ontologia.cli.internal.objects;

import io.ontologia.cli.internal.Invocation;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code onto gc}. */
@Command(
        name = "gc",
        hidden = true,
        description = "Object stores only: remove what no commit needs any more.",
        footerHeading = "%nExamples:%n",
        footer = "  onto gc --older-than 7d --storage-uri s3://bucket/prefix")
public final class GcCommand extends ObjectStoreOnly {
    @Option(names = "--older-than", paramLabel = "7d", description = "Only what is older.")
    @Nullable String olderThan;

    @Option(names = "--apply", description = "Do it.")
    boolean apply;

    GcCommand(Invocation invocation) {
        super(invocation, "gc");
    }
}
