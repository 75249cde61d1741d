package io.ontologia.cli.internal.admin;

import io.ontologia.cli.internal.CommandFailure;
import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.access.OntologyAccess;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.core.LockHolder;
import io.ontologia.core.Maintenance;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code onto lock break}. */
@Command(
        name = "break",
        description =
                "End somebody else's hold of the write lock. Only for a holder that is known to be dead: one that still works "
                        + "finds its work refused.",
        footerHeading = "%nExamples:%n",
        footer = "  onto lock break --token 3f9c2a7b51d0e846")
final class LockBreakCommand implements OntoCommand {
    private final Invocation invocation;

    @Option(
            names = "--token",
            paramLabel = "T",
            required = true,
            description = "The token that 'onto lock show' printed; it fits no other holder.")
    private String token = "";

    LockBreakCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        LockHolder holder = breakLock();
        Output output = invocation.output();
        if (output.format() == Output.Format.JSON) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("broken", true);
            document.putAll(LockDocuments.of(holder, invocation.clock().now()));
            output.json(document);
        }
        output.line("the hold of " + holder.ownerId() + " is over");
        return ExitCode.SUCCESS;
    }

    private LockHolder breakLock() {
        try (Maintenance maintenance = new OntologyAccess(invocation).maintain()) {
            return maintenance.lock().breakLock(token);
        } catch (OntologiaException e) {
            throw e.kind() == ErrorKind.CONFLICT ? new CommandFailure(ExitCode.COMMAND_FAILED, e) : e;
        }
    }
}
