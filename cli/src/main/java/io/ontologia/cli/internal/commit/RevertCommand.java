package io.ontologia.cli.internal.commit;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.core.Restoration.LaterChanges;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code onto revert}. */
@Command(
        name = "revert",
        description =
                "Undo one commit by a new one: each row that it wrote becomes as it was before. Refused where later commits "
                        + "changed the same rows. Shows what would change, unless --apply is given.",
        footerHeading = "%nExamples:%n",
        footer = {"  onto revert 12", "  onto revert 12 --apply --reason \"wrong file\""})
public final class RevertCommand implements OntoCommand {
    private final Invocation invocation;

    @Parameters(paramLabel = "COMMIT", description = "The commit to undo.")
    private long commit;

    @Option(names = "--overwrite", description = "Also undo what later commits did to the same rows.")
    private boolean overwrite;

    @Mixin
    private final ChangeOptions options = new ChangeOptions();

    RevertCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        LaterChanges later = overwrite ? LaterChanges.OVERWRITE : LaterChanges.REFUSE;
        return options.run(
                invocation,
                session -> session.restoration().revert(commit, later, options.cascade()),
                Map.of("reverts", commit));
    }
}
