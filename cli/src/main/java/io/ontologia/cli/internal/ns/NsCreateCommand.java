package io.ontologia.cli.internal.ns;

import io.ontologia.cli.internal.CommandFailure;
import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.CreateOutcome;
import io.ontologia.nameservice.EntityType;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.NewRecord;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code onto ns create}. */
@Command(
        name = "create",
        description = "Create a record: nothing is pushed yet, and its state is ready.",
        footerHeading = "%nExamples:%n",
        footer = {"  onto ns create mydb", "  onto ns create vg:search --type vg:bm25 --dep mydb:main"})
final class NsCreateCommand implements OntoCommand {
    private final Invocation invocation;

    @Mixin
    private final NsOption nameservice = new NsOption();

    @Parameters(paramLabel = "ALIAS", description = "The record: name, name:branch or vg:name:branch.")
    private String alias = "";

    @Option(
            names = "--type",
            paramLabel = "T",
            defaultValue = "ledger",
            description =
                    "ledger (the default), vg:bm25, vg:vector, vg:iceberg, vg:jdbc, vg:r2rml or another vg: type.")
    private String type = "";

    @Option(names = "--dep", paramLabel = "ALIAS", description = "What a graph source depends on; may be repeated.")
    private List<String> deps = new ArrayList<>();

    NsCreateCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        NewRecord wanted =
                NewRecord.of(Alias.parse(alias), new EntityType(type)).deps(deps);
        try (Nameservice names = nameservice.open(invocation)) {
            CreateOutcome outcome = names.create(wanted);
            if (outcome instanceof CreateOutcome.Created created) {
                print(created.record());
                return ExitCode.SUCCESS;
            }
            if (outcome instanceof CreateOutcome.Exists exists) {
                boolean retracted = exists.actual().isRetracted();
                throw new CommandFailure(
                        ExitCode.COMMAND_FAILED,
                        new OntologiaException(
                                ErrorKind.CONFLICT,
                                "cannot create " + wanted.alias(),
                                retracted ? "a retracted record still has the name" : "it exists",
                                retracted
                                        ? "'onto ns restore' brings it back, 'onto ns purge' frees the name"
                                        : "'onto ns show' shows it"));
            }
            throw ((CreateOutcome.Unknown) outcome).reason();
        }
    }

    private void print(NameRecord record) {
        Output output = invocation.output();
        if (output.format() == Output.Format.JSON) {
            output.json(NsDocuments.of(record));
        } else {
            output.line("created " + record.alias() + ", " + record.type());
        }
    }
}
