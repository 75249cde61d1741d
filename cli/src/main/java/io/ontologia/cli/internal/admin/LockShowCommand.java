package io.ontologia.cli.internal.admin;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.access.OntologyAccess;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.core.LockDamage;
import io.ontologia.core.LockHolder;
import io.ontologia.core.Maintenance;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;

/** {@code onto lock show}. */
@Command(
        name = "show",
        description =
                "Show who holds the write lock, until when, and the token that breaks it; exit code 3 when the lock is damaged.",
        footerHeading = "%nExamples:%n",
        footer = {"  onto lock show", "  onto lock show --json"})
final class LockShowCommand implements OntoCommand {
    private final Invocation invocation;

    LockShowCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        Optional<LockHolder> holder;
        try (Maintenance maintenance = new OntologyAccess(invocation).inspect()) {
            Optional<LockDamage> damage = maintenance.lock().damage();
            if (damage.isPresent()) {
                return show(damage.get());
            }
            holder = maintenance.lock().holder();
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("held", holder.isPresent());
        holder.ifPresent(one -> {
            document.putAll(LockDocuments.of(one, invocation.clock().now()));
            document.put("token", one.breakToken());
        });
        Output output = invocation.output();
        if (output.format() == Output.Format.JSON) {
            output.json(document);
        } else if (holder.isEmpty()) {
            output.line("nobody holds the write lock");
        } else {
            output.properties(document);
        }
        return ExitCode.SUCCESS;
    }

    private ExitCode show(LockDamage damage) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("held", false);
        document.putAll(LockDocuments.of(damage));
        document.put("token", damage.breakToken());
        Output output = invocation.output();
        if (output.format() == Output.Format.JSON) {
            output.json(document);
        } else {
            output.properties(document);
            output.line(
                    "The write lock is damaged, and no writer can commit. Make sure that no writer is at work, then run "
                            + "'onto lock break --token " + damage.breakToken() + "'.");
        }
        return ExitCode.MISMATCH;
    }
}
