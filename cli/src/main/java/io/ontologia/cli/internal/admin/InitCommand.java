package io.ontologia.cli.internal.admin;

import io.ontologia.cli.internal.CommandFailure;
import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.UsageError;
import io.ontologia.cli.internal.access.OntologyAccess;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code onto init}. */
@Command(
        name = "init",
        description =
                "Prepare a store. One that is there already keeps what it holds, and gets what older versions did not give it.",
        footerHeading = "%nExamples:%n",
        footer = {"  onto init", "  onto init --db shop.db --dry-run"})
public final class InitCommand implements OntoCommand {
    private final Invocation invocation;

    @Option(names = "--dry-run", description = "Say whether the store is prepared, and change nothing.")
    private boolean dryRun;

    @Option(names = "--force", description = "Begin anew on a store that is not empty; only object stores have that.")
    private boolean force;

    @Option(names = "--token", paramLabel = "T", description = "The token that a dry run with --force printed.")
    private @Nullable String token;

    InitCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        if (token != null && !force) {
            throw new UsageError("--token is for --force", "leave it out");
        }
        OntologyAccess access = new OntologyAccess(invocation);
        String uri = access.uri();
        if (force) {
            throw new CommandFailure(
                    ExitCode.COMMAND_FAILED,
                    new OntologiaException(
                            ErrorKind.INVALID_INPUT,
                            "cannot begin anew on " + uri,
                            "the sqlite backend has no --force, only object stores have",
                            "remove the file, or name another"));
        }
        boolean ready = isReady(access);
        if (!dryRun) {
            access.write().close();
        }
        print(uri, ready);
        return ExitCode.SUCCESS;
    }

    private static boolean isReady(OntologyAccess access) {
        if (!access.exists()) {
            return false;
        }
        try {
            access.read().close();
            return true;
        } catch (OntologiaException e) {
            if (e.kind() == ErrorKind.NOT_FOUND) {
                return false;
            }
            throw e;
        }
    }

    private void print(String uri, boolean before) {
        Output output = invocation.output();
        if (output.format() == Output.Format.JSON) {
            Map<String, Object> report = new LinkedHashMap<>();
            report.put("backend", "sqlite");
            report.put("initialized", before || !dryRun);
            output.json(report);
        }
        output.line(
                before
                        ? uri + " is ready"
                        : dryRun ? uri + " is not prepared; run the command without --dry-run" : uri + " is ready now");
    }
}
