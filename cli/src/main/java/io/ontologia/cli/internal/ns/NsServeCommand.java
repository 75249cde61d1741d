package io.ontologia.cli.internal.ns;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.TextDuration;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.server.AccessToken;
import io.ontologia.server.OntologiaServer;
import io.ontologia.server.Scope;
import io.ontologia.server.ServerOptions;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code onto ns serve}. */
@Command(
        name = "serve",
        description =
                "Offer a nameservice over HTTP until interrupted. Tokens come from the environment: "
                        + "ONTOLOGIA_READ_TOKEN for who looks, ONTOLOGIA_WRITE_TOKEN for who changes. Without them only this machine is served.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto ns serve --ns file:///var/lib/names",
            "  onto ns serve --ns dynamodb://names --host 0.0.0.0 --port 8080"
        })
final class NsServeCommand implements OntoCommand {
    private static final Duration NAP = Duration.ofSeconds(1);

    private final Invocation invocation;

    @Mixin
    private final NsOption nameservice = new NsOption();

    @Option(
            names = "--host",
            paramLabel = "H",
            defaultValue = "127.0.0.1",
            description = "Where to listen; 127.0.0.1 by default.")
    private String host = "";

    @Option(
            names = "--port",
            paramLabel = "P",
            defaultValue = "7420",
            description = "The port; 7420 by default, 0 for any free one.")
    private int port;

    @Option(names = "--for", paramLabel = "SPAN", description = "Stop after so long: 45s, 30m, 12h, 7d.")
    private @Nullable String span;

    NsServeCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        invocation.interruption().endsBySignal();
        Instant end = span == null ? Instant.MAX : invocation.clock().now().plus(TextDuration.parse("--for", span));
        try (Nameservice names = nameservice.open(invocation);
                OntologiaServer server = OntologiaServer.start(names, options())) {
            announce(names, server);
            while (invocation.clock().now().isBefore(end)) {
                invocation.clock().sleep(NAP);
            }
        } catch (OntologiaException e) {
            if (e.kind() != ErrorKind.CLOSED || !Thread.currentThread().isInterrupted()) {
                throw e;
            }
            // Interrupted: that is how it ends.
        }
        return ExitCode.SUCCESS;
    }

    private ServerOptions options() {
        ServerOptions options = ServerOptions.defaults()
                .address(new InetSocketAddress(host, port))
                .clock(invocation.clock());
        options = with(options, "ONTOLOGIA_READ_TOKEN", Scope.READ);
        return with(options, "ONTOLOGIA_WRITE_TOKEN", Scope.WRITE);
    }

    private ServerOptions with(ServerOptions options, String variable, Scope scope) {
        String secret = invocation.environment().getOrDefault(variable, "");
        return secret.isEmpty() ? options : options.token(new AccessToken(secret, scope));
    }

    private void announce(Nameservice names, OntologiaServer server) {
        Output output = invocation.output();
        if (output.format() == Output.Format.JSON) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("nameservice", names.location());
            document.put("uri", server.uri().toString());
            output.json(document);
        } else {
            output.line("serving " + names.location() + " on " + server.uri());
        }
        invocation.out().flush();
    }
}
