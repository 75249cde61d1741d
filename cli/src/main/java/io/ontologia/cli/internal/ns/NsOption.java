package io.ontologia.cli.internal.ns;

import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.access.NamesAccess;
import io.ontologia.nameservice.Nameservice;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which nameservice a command is about. */
final class NsOption {
    @Option(
            names = "--ns",
            paramLabel = "URI",
            description = "The nameservice: file:///folder, s3://bucket/prefix, dynamodb://table, http://host:port. "
                    + "Environment: ONTOLOGIA_NAMESERVICE_URI.")
    private @Nullable String uri;

    /** Its URI. */
    String uri(Invocation invocation) {
        return new NamesAccess(invocation).uri(Optional.ofNullable(uri));
    }

    /** Opens it to look at it, secrets aside; the caller closes it. */
    Nameservice look(Invocation invocation) {
        return new NamesAccess(invocation).look(uri(invocation));
    }

    /** Opens it to see or copy whole records, with their secrets; the caller closes it. */
    Nameservice whole(Invocation invocation) {
        return new NamesAccess(invocation).whole(uri(invocation));
    }

    /** Opens it to change it; the caller closes it. */
    Nameservice open(Invocation invocation) {
        return new NamesAccess(invocation).open(uri(invocation));
    }
}
