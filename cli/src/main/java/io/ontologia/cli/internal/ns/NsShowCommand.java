package io.ontologia.cli.internal.ns;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernPayload;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.NameNotFoundException;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.Nameservice;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code onto ns show}. */
@Command(
        name = "show",
        description = "Show a record. What may be secret in its config is hidden unless asked for.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto ns show mydb",
            "  onto ns show vg:search:main --concern index --json",
            "  onto ns show vg:erp --show-secrets"
        })
final class NsShowCommand implements OntoCommand {
    private final Invocation invocation;

    @Mixin
    private final NsOption nameservice = new NsOption();

    @Parameters(paramLabel = "ALIAS", description = "The record: name, name:branch or vg:name:branch.")
    private String alias = "";

    @Option(names = "--concern", paramLabel = "C", description = "Only this one: head, index, status or config.")
    private @Nullable String concern;

    @Option(names = "--show-secrets", description = "Show the config as it is.")
    private boolean secrets;

    NsShowCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        Alias wanted = Alias.parse(alias);
        try (Nameservice names = secrets ? nameservice.whole(invocation) : nameservice.look(invocation)) {
            NameRecord found = names.lookup(wanted).orElseThrow(() -> new NameNotFoundException(wanted));
            NameRecord record = secrets ? found : found.redacted();
            Output output = invocation.output();
            if (output.format() == Output.Format.JSON) {
                output.json(concern == null ? NsDocuments.of(record) : NsDocuments.of(record, Concern.parse(concern)));
                return ExitCode.SUCCESS;
            }
            if (concern == null) {
                output.properties(properties(record));
                output.line("");
            }
            output.table(List.of("concern", "watermark", "payload"), rows(record));
            return ExitCode.SUCCESS;
        }
    }

    private static Map<String, @Nullable Object> properties(NameRecord record) {
        Map<String, @Nullable Object> properties = new LinkedHashMap<>();
        properties.put("alias", record.alias().toString());
        properties.put("type", record.type().value());
        properties.put("created", record.createdAt().atOffset(ZoneOffset.UTC).toString());
        properties.put("depends on", record.deps().isEmpty() ? null : String.join(", ", record.deps()));
        properties.put("retracted", record.isRetracted() ? "yes" : "no");
        return properties;
    }

    private List<List<@Nullable Object>> rows(NameRecord record) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (Concern one : concern == null ? Concern.values() : new Concern[] {Concern.parse(concern)}) {
            ConcernValue value = record.concern(one);
            rows.add(Arrays.asList(
                    one.wireName(),
                    value.watermark(),
                    value.payload().map(ConcernPayload::json).orElse(null)));
        }
        return rows;
    }
}
