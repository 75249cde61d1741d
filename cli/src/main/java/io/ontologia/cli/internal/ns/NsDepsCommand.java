package io.ontologia.cli.internal.ns;

import io.ontologia.cli.internal.CommandFailure;
import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.LifecycleOutcome;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.Nameservice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code onto ns deps}. */
@Command(
        name = "deps",
        description =
                "Set what a record depends on. The list takes the place of the one there is; without --dep it is empty.",
        footerHeading = "%nExamples:%n",
        footer = {"  onto ns deps vg:search --dep mydb:main --dep other:main", "  onto ns deps vg:search"})
final class NsDepsCommand implements OntoCommand {
    private final Invocation invocation;

    @Mixin
    private final NsOption nameservice = new NsOption();

    @Parameters(paramLabel = "ALIAS", description = "The record: name, name:branch or vg:name:branch.")
    private String alias = "";

    @Option(names = "--dep", paramLabel = "ALIAS", description = "What it depends on; may be repeated.")
    private List<String> deps = new ArrayList<>();

    @Option(names = "--force", description = "Also on records that do not exist.")
    private boolean force;

    NsDepsCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        Alias wanted = Alias.parse(alias);
        List<String> named =
                deps.stream().map(dep -> Alias.parse(dep).toString()).toList();
        try (Nameservice names = nameservice.open(invocation)) {
            for (String dep : force ? List.<String>of() : named) {
                if (names.lookup(Alias.parse(dep)).isEmpty()) {
                    throw new CommandFailure(
                            ExitCode.COMMAND_FAILED,
                            new OntologiaException(
                                    ErrorKind.CONFLICT,
                                    "cannot let " + wanted + " depend on " + dep,
                                    "there is no such record",
                                    "create it first, or add --force"));
                }
            }
            LifecycleOutcome outcome = names.setDeps(wanted, named);
            if (outcome instanceof LifecycleOutcome.Unknown unknown) {
                throw unknown.reason();
            }
            boolean changed = outcome instanceof LifecycleOutcome.Changed;
            NameRecord record = outcome instanceof LifecycleOutcome.Changed now
                    ? now.record()
                    : ((LifecycleOutcome.Unchanged) outcome).record();
            print(changed ? "changed" : "unchanged", record);
            return ExitCode.SUCCESS;
        }
    }

    private void print(String what, NameRecord record) {
        Output output = invocation.output();
        if (output.format() == Output.Format.JSON) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("outcome", what);
            document.put("deps", record.deps());
            output.json(document);
        } else {
            output.line(record.alias() + " depends on "
                    + (record.deps().isEmpty() ? "nothing" : String.join(", ", record.deps())));
        }
    }
}
