package io.ontologia.cli.internal.ns;

import io.ontologia.cli.internal.CommandFailure;
import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.LockHolder;
import io.ontologia.nameservice.LockKind;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.SoftLocks;
import java.security.SecureRandom;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code onto ns lock break}. */
@Command(
        name = "break",
        description =
                "Take a soft lock away from its holder, who can neither refresh it nor publish then. Only for one that is known to be dead.",
        footerHeading = "%nExamples:%n",
        footer = {"  onto ns lock break mydb --token 3f9c2a7b51d0"})
final class NsLockBreakCommand implements OntoCommand {
    private final Invocation invocation;

    @Mixin
    private final NsOption nameservice = new NsOption();

    @Parameters(paramLabel = "ALIAS", description = "The record: name, name:branch or vg:name:branch.")
    private String alias = "";

    @Option(
            names = "--token",
            paramLabel = "T",
            required = true,
            description = "As 'lock show' tells it: it fits that one holder.")
    private String token = "";

    NsLockBreakCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        Alias wanted = Alias.parse(alias);
        try (Nameservice names = nameservice.open(invocation)) {
            SoftLocks soft = new SoftLocks(names, invocation.clock(), new SecureRandom());
            for (LockKind kind : LockKind.values()) {
                Optional<LockHolder> holder =
                        soft.holder(wanted, kind).filter(found -> found.token().equals(token));
                if (holder.isPresent() && soft.breakLock(wanted, kind, token)) {
                    Output output = invocation.output();
                    if (output.format() == Output.Format.JSON) {
                        output.json(NsDocuments.outcome("broken"));
                    } else {
                        output.line("took " + kind.field() + " of " + wanted + " from "
                                + holder.get().holder());
                    }
                    return ExitCode.SUCCESS;
                }
            }
        }
        throw new CommandFailure(
                ExitCode.COMMAND_FAILED,
                new OntologiaException(
                        ErrorKind.NOT_FOUND,
                        "cannot break a lock of " + wanted,
                        "nobody holds one with this token, or not any more",
                        "'onto ns lock show' tells who does"));
    }
}
