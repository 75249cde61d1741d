package io.ontologia.cli.internal.ns;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.OntoCommand;
import io.ontologia.cli.internal.TextDuration;
import io.ontologia.cli.internal.UsageError;
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
                        + "ONTOLOGIA_READ_TOKEN gives access to read, ONTOLOGIA_WRITE_TOKEN to read, change and see secrets. "
                        + "Without tokens the server accepts connections from this machine only, and every user of it can read.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  onto ns serve --ns file:///var/lib/names --token-file names.token",
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

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "Read the token for changes from a file that only you can read. "
                    + "The file is created with a random token when it is missing.")
    private @Nullable String tokenFile;

    @Option(
            names = "--write-without-token",
            description = "Without tokens, let every user of this machine change records. Secrets still need a token.")
    private boolean writeWithoutToken;

    @Option(names = "--for", paramLabel = "SPAN", description = "Stop after so long: 45s, 30m, 12h, 7d.")
    private @Nullable String span;

    NsServeCommand(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public ExitCode run() {
        if (port < 0 || port > 65_535) {
            throw new UsageError("--port " + port + " is no port", "use a number from 0 to 65535");
        }
        invocation.interruption().endsBySignal();
        Instant end = span == null ? Instant.MAX : invocation.clock().now().plus(TextDuration.parse("--for", span));
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler(this::uncaught);
        try (Nameservice names = nameservice.whole(invocation);
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
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
        return ExitCode.SUCCESS;
    }

    private ServerOptions options() {
        ServerOptions options = ServerOptions.defaults()
                .address(new InetSocketAddress(host, port))
                .clock(invocation.clock())
                .onOutOfMemory(this::endProcess);
        options = with(options, "ONTOLOGIA_READ_TOKEN", Scope.READ);
        options = with(options, "ONTOLOGIA_WRITE_TOKEN", Scope.WRITE);
        if (tokenFile != null) {
            options = options.token(new AccessToken(TokenFile.readOrCreate(tokenFile), Scope.WRITE));
        }
        if (!writeWithoutToken) {
            return options;
        }
        if (!options.tokens().isEmpty()) {
            throw new UsageError("--write-without-token is given, and there are tokens", "leave one of them away");
        }
        return options.withoutTokens(Scope.WRITE);
    }

    private void uncaught(Thread thread, Throwable thrown) {
        if (thrown instanceof OutOfMemoryError) {
            endProcess();
        }
        invocation
                .err()
                .println("error: thread " + thread.getName() + " ended: "
                        + thrown.getClass().getName());
    }

    /** After an error of this kind the process cannot be relied on, and an operator's supervisor starts it again. */
    private void endProcess() {
        invocation.err().println("error: out of memory; give the server more with ONTO_JAVA_OPTS=-Xmx...");
        Runtime.getRuntime().halt(ExitCode.UNEXPECTED.number());
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
