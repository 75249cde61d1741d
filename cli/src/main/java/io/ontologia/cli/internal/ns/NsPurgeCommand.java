package io.ontologia.cli.internal.ns;

import io.ontologia.cli.internal.CommandFailure;
import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Dependants;
import io.ontologia.nameservice.NameInUseException;
import io.ontologia.nameservice.NameNotFoundException;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.PurgeOutcome;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code onto ns purge}. */
@Command(
        name = "purge",
        description = "Remove a retracted record for good and free its name. Shows the record without --apply.",
        footerHeading = "%nExamples:%n",
        footer = {"  onto ns purge olddb", "  onto ns purge olddb --apply"})
final class NsPurgeCommand implements OntoCommand {
    private final Invocation invocation;

    @Mixin
    private final NsOption nameservice = new NsOption();

    @Parameters(paramLabel = "ALIAS", description = "The record: name, name:branch or vg:name:branch.")
    private String alias = "";

    @Option(names = "--apply", description = "Do it. It cannot be undone.")
    private boolean apply;

    @Option(names = "--force", description = "Also when other records depend on it.")
    private boolean force;

    NsPurgeCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        Alias wanted = Alias.parse(alias);
        try (Nameservice names = nameservice.open(invocation)) {
            if (!apply) {
                NameRecord found = names.lookup(wanted).orElseThrow(() -> new NameNotFoundException(wanted));
                if (!found.isRetracted()) {
                    throw stillActive(wanted);
                }
                if (!force) {
                    Dependants.requireNone(names, wanted, "purge");
                }
                preview(found);
                return ExitCode.SUCCESS;
            }
            PurgeOutcome outcome = names.purge(wanted, force ? Dependants.IGNORE : Dependants.REFUSE);
            if (outcome instanceof PurgeOutcome.StillActive) {
                throw stillActive(wanted);
            }
            if (outcome instanceof PurgeOutcome.Unknown unknown) {
                throw unknown.reason();
            }
            Output output = invocation.output();
            if (output.format() == Output.Format.JSON) {
                output.json(NsDocuments.outcome("purged"));
            } else {
                output.line("purged " + wanted + ", its name is free");
            }
            return ExitCode.SUCCESS;
        } catch (NameInUseException e) {
            throw new CommandFailure(ExitCode.COMMAND_FAILED, e);
        }
    }

    private void preview(NameRecord found) {
        Output output = invocation.output();
        if (output.format() == Output.Format.JSON) {
            output.json(NsDocuments.of(found.redacted()));
        } else {
            output.table(NsDocuments.HEADERS, List.of(NsDocuments.row(found)));
            output.line("");
            output.line("nothing was changed; add --apply to remove it for good");
        }
    }

    private static CommandFailure stillActive(Alias alias) {
        return new CommandFailure(
                ExitCode.COMMAND_FAILED,
                new OntologiaException(
                        ErrorKind.CONFLICT,
                        "cannot purge " + alias,
                        "it is not retracted",
                        "'onto ns retract' takes it out of use first"));
    }
}
