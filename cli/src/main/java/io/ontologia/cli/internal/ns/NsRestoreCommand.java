package io.ontologia.cli.internal.ns;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.LifecycleOutcome;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.Nameservice;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code onto ns restore}. */
@Command(
        name = "restore",
        description = "Bring a retracted record back.",
        footerHeading = "%nExamples:%n",
        footer = {"  onto ns restore olddb"})
final class NsRestoreCommand implements OntoCommand {
    private final Invocation invocation;

    @Mixin
    private final NsOption nameservice = new NsOption();

    @Parameters(paramLabel = "ALIAS", description = "The record: name, name:branch or vg:name:branch.")
    private String alias = "";

    NsRestoreCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        Alias wanted = Alias.parse(alias);
        try (Nameservice names = nameservice.open(invocation)) {
            LifecycleOutcome outcome = names.restore(wanted);
            if (outcome instanceof LifecycleOutcome.Changed changed) {
                print("restored", changed.record());
            } else if (outcome instanceof LifecycleOutcome.Unchanged unchanged) {
                print("unchanged", unchanged.record());
            } else {
                throw ((LifecycleOutcome.Unknown) outcome).reason();
            }
            return ExitCode.SUCCESS;
        }
    }

    private void print(String what, NameRecord record) {
        Output output = invocation.output();
        if (output.format() == Output.Format.JSON) {
            output.json(NsDocuments.outcome(what, "status", record.status()));
        } else {
            output.line(what.equals("unchanged") ? record.alias() + " was active" : what + " " + record.alias());
        }
    }
}
