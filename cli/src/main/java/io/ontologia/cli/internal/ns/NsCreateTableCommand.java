package io.ontologia.cli.internal.ns;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.nameservice.NameserviceOptions;
import io.ontologia.nameservice.dynamodb.NameserviceTable;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code onto ns create-table}. */
@Command(
        name = "create-table",
        description =
                "Make the DynamoDB table of a nameservice, with an index by type, and wait until it can be used. Does nothing when it "
                        + "is there.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto ns create-table --ns dynamodb://names",
            "  onto ns create-table --ns 'dynamodb://names?region=eu-central-1' --state-index"
        })
final class NsCreateTableCommand implements OntoCommand {
    private final Invocation invocation;

    @Mixin
    private final NsOption nameservice = new NsOption();

    @Option(names = "--state-index", description = "With an index by state, too.")
    private boolean stateIndex;

    NsCreateTableCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        Set<NameserviceTable.Index> indexes = EnumSet.of(NameserviceTable.Index.TYPE);
        if (stateIndex) {
            indexes.add(NameserviceTable.Index.STATE);
        }
        NameserviceTable.Outcome outcome = NameserviceTable.create(
                nameservice.uri(invocation),
                indexes,
                NameserviceOptions.defaults().clock(invocation.clock()));
        Output output = invocation.output();
        String text = outcome.name().toLowerCase(Locale.ROOT);
        if (output.format() == Output.Format.JSON) {
            output.json(NsDocuments.outcome(text));
        } else {
            output.line(
                    switch (outcome) {
                        case CREATED -> "the table is ready";
                        case EXTENDED -> "the table was there, and got the indexes that it lacked";
                        case UNCHANGED -> "the table was there already";
                    });
        }
        return ExitCode.SUCCESS;
    }
}
