package io.ontologia.cli.internal.ns;

import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.UsageError;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.NameserviceOptions;
import io.ontologia.nameservice.Nameservices;
import io.ontologia.objectstore.ObjectStoreOptions;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which nameservice a command is about. */
final class NsOption {
    private static final String TOKEN_VARIABLE = "ONTOLOGIA_NAMESERVICE_TOKEN";

    @Option(
            names = "--ns",
            paramLabel = "URI",
            description = "The nameservice: file:///folder, s3://bucket/prefix, dynamodb://table, http://host:port. "
                    + "Environment: ONTOLOGIA_NAMESERVICE_URI.")
    private @Nullable String uri;

    /** Its URI. */
    String uri(Invocation invocation) {
        return Optional.ofNullable(uri)
                .or(() -> invocation.settings().nameservice())
                .orElseThrow(
                        () -> new UsageError(
                                "no nameservice is named",
                                "use --ns, the variable ONTOLOGIA_NAMESERVICE_URI, or nameservice_uri in the configuration file"));
    }

    /** Opens it; the caller closes it. */
    Nameservice open(Invocation invocation) {
        return open(uri(invocation), invocation);
    }

    /** Opens another one in the same way. */
    static Nameservice open(String uri, Invocation invocation) {
        NameserviceOptions options = NameserviceOptions.defaults()
                .objectStore(
                        ObjectStoreOptions.defaults().s3(invocation.settings().s3()))
                .clock(invocation.clock());
        String token = invocation.environment().getOrDefault(TOKEN_VARIABLE, "");
        return Nameservices.open(uri, token.isEmpty() ? options : options.setting("token", token));
    }
}
