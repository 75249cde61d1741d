package io.ontologia.cli.internal.ns;

import io.ontologia.cli.internal.CommandFailure;
import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Dependants;
import io.ontologia.nameservice.LifecycleOutcome;
import io.ontologia.nameservice.NameInUseException;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.Nameservice;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code onto ns retract}. */
@Command(
        name = "retract",
        description = "Take a record out of use. It keeps its name and can be restored.",
        footerHeading = "%nExamples:%n",
        footer = {"  onto ns retract olddb --reason \"moved to newdb\""})
final class NsRetractCommand implements OntoCommand {
    private final Invocation invocation;

    @Mixin
    private final NsOption nameservice = new NsOption();

    @Parameters(paramLabel = "ALIAS", description = "The record: name, name:branch or vg:name:branch.")
    private String alias = "";

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for people.")
    private String reason = "";

    @Option(names = "--force", description = "Also when other records depend on it.")
    private boolean force;

    NsRetractCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        Alias wanted = Alias.parse(alias);
        try (Nameservice names = nameservice.open(invocation)) {
            LifecycleOutcome outcome = names.retract(wanted, reason, force ? Dependants.IGNORE : Dependants.REFUSE);
            if (outcome instanceof LifecycleOutcome.Changed changed) {
                print("retracted", changed.record());
            } else if (outcome instanceof LifecycleOutcome.Unchanged unchanged) {
                print("unchanged", unchanged.record());
            } else {
                throw ((LifecycleOutcome.Unknown) outcome).reason();
            }
            return ExitCode.SUCCESS;
        } catch (NameInUseException e) {
            throw new CommandFailure(ExitCode.COMMAND_FAILED, e);
        }
    }

    private void print(String what, NameRecord record) {
        Output output = invocation.output();
        if (output.format() == Output.Format.JSON) {
            output.json(NsDocuments.outcome(what, "status", record.status()));
        } else {
            output.line(
                    what.equals("unchanged") ? record.alias() + " was retracted already" : what + " " + record.alias());
        }
    }
}
