package io.ontologia.cli.internal.admin;

import io.ontologia.cli.internal.CommandFailure;
import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.access.OntologyAccess;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.core.LockDamage;
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
                "End the hold of another writer, or replace a damaged lock. Only when the holder is known to be dead: the "
                        + "commits of a holder that still works are refused.",
        footerHeading = "%nExamples:%n",
        footer = "  onto lock break --token 3f9c2a7b51d0e846")
final class LockBreakCommand implements OntoCommand {
    private final Invocation invocation;

    @Option(
            names = "--token",
            paramLabel = "T",
            required = true,
            description = "The token that 'onto lock show' printed; it fits no other holder and no other content.")
    private String token = "";

    LockBreakCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        try (Maintenance maintenance = new OntologyAccess(invocation).maintain()) {
            if (maintenance.lock().damage().isPresent()) {
                return replaced(maintenance.lock().replaceDamaged(token));
            }
            return broken(maintenance.lock().breakLock(token));
        } catch (OntologiaException e) {
            throw e.kind() == ErrorKind.CONFLICT ? new CommandFailure(ExitCode.COMMAND_FAILED, e) : e;
        }
    }

    private ExitCode broken(LockHolder holder) {
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

    private ExitCode replaced(LockDamage damage) {
        Output output = invocation.output();
        if (output.format() == Output.Format.JSON) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("broken", true);
            document.putAll(LockDocuments.of(damage));
            output.json(document);
        }
        output.line("the damaged lock " + damage.location() + " was replaced by a free one");
        return ExitCode.SUCCESS;
    }
}
