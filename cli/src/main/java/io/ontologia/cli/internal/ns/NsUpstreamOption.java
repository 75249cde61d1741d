package io.ontologia.cli.internal.ns;

import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.UsageError;
import io.ontologia.nameservice.Settlement;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which nameservice decides. */
final class NsUpstreamOption {
    @Option(
            names = "--upstream",
            paramLabel = "URI",
            description = "The nameservice that decides, as --ns. Environment: ONTOLOGIA_NAMESERVICE_UPSTREAM_URI.")
    private @Nullable String uri;

    @Option(
            names = "--remote",
            paramLabel = "NAME",
            defaultValue = "origin",
            description =
                    "What the upstream is called here; origin by default. What was last seen is kept under this name.")
    private String remote = "origin";

    @Option(names = "--theirs", description = "Where the two sides went different ways, take what is upstream.")
    private boolean theirs;

    @Option(names = "--ours", description = "Where the two sides went different ways, take what is here.")
    private boolean ours;

    Settlement settlement() {
        if (theirs && ours) {
            throw new UsageError("--theirs and --ours are both given", "give one of them");
        }
        return theirs ? Settlement.THEIRS : ours ? Settlement.OURS : Settlement.REPORT;
    }

    String uri(Invocation invocation) {
        return uri(invocation, uri);
    }

    /** The upstream that is asked for, or the one of the settings. */
    static String uri(Invocation invocation, @Nullable String asked) {
        return Optional.ofNullable(asked)
                .or(() -> invocation.settings().upstream())
                .orElseThrow(() -> new UsageError(
                        "no upstream is named",
                        "use --upstream, the variable ONTOLOGIA_NAMESERVICE_UPSTREAM_URI, or nameservice_upstream_uri in the "
                                + "configuration file"));
    }

    String remote() {
        return remote;
    }
}
