package io.ontologia.cli.internal.access;

import io.ontologia.cli.internal.UsageError;
import io.ontologia.core.CommitInfo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Metadata of commits: given to a commit that is made, or asked of those that are looked for. */
public final class MetaOption {
    @Option(
            names = "--meta",
            paramLabel = "K=V",
            description = "Metadata of the commit: a name and a text. May be given several times.")
    List<String> pairs = new ArrayList<>();

    @Option(
            names = {"-m", "--reason"},
            paramLabel = "TEXT",
            description = "Why the commit is made; the same as --meta reason=TEXT.")
    @Nullable String reason;

    /** The metadata by name; it is a usage error when a pair is none or a name is given twice. */
    public Map<String, String> values() {
        Map<String, String> values = new LinkedHashMap<>();
        for (String pair : pairs) {
            int equals = pair.indexOf('=');
            if (equals < 1) {
                throw new UsageError("--meta is '" + pair + "'", "write it as --meta name=value");
            }
            if (values.put(pair.substring(0, equals), pair.substring(equals + 1)) != null) {
                throw new UsageError("--meta names '" + pair.substring(0, equals) + "' twice", "leave one of them out");
            }
        }
        if (reason != null && values.put(CommitInfo.REASON, reason) != null) {
            throw new UsageError("--meta and --reason both give a reason", "leave one of them out");
        }
        return values;
    }
}
