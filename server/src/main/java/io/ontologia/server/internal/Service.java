package io.ontologia.server.internal;

import com.sun.net.httpserver.HttpServer;
import io.ontologia.kernel.BackgroundRunner;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.RandomIds;
import io.ontologia.nameservice.Subscriptions;
import io.ontologia.server.ServerOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A server that runs: its socket, its threads, and what it does in the background. */
public final class Service implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Service.class);
    /** How long closing waits for requests that are being worked on. */
    private static final Duration GRACE = Duration.ofSeconds(10);

    private final HttpServer server;
    private final Dispatcher dispatcher;
    private final Watches watches;
    private final BackgroundRunner poller;
    private final BackgroundRunner cleaner;

    private Service(
            HttpServer server, Dispatcher dispatcher, Watches watches, Subscriptions subscriptions, Duration poll) {
        this.server = server;
        this.dispatcher = dispatcher;
        this.watches = watches;
        this.poller = BackgroundRunner.start(
                "ontologia-poller", subscriptions.poller(poll), e -> LOG.error("polling ended: {}", e.getMessage()));
        this.cleaner = BackgroundRunner.start(
                "ontologia-watches", watches.cleaner(), e -> LOG.error("cleaning ended: {}", e.getMessage()));
    }

    /** Starts serving; the address has been checked. */
    public static Service start(Subscriptions subscriptions, ServerOptions options) {
        HttpDefaults.apply(options.limits());
        InetSocketAddress address = options.address();
        HttpServer server;
        try {
            server = HttpServer.create(address, 0);
        } catch (IOException e) {
            throw new OntologiaException(
                    ErrorKind.UNAVAILABLE,
                    "cannot serve on " + address.getHostString() + ":" + address.getPort(),
                    String.valueOf(e.getMessage()),
                    "choose another port, or end what uses it",
                    e);
        }
        String instance = RandomIds.hex(options.random(), 16);
        Watches watches = new Watches(subscriptions, options);
        Dispatcher dispatcher = new Dispatcher(
                Routes.of(subscriptions.observed(), watches),
                new Access(options.tokens(), options.withoutTokens()),
                new Attempts(instance),
                instance,
                options);
        server.createContext("/", dispatcher);
        server.setExecutor(dispatcher.threads());
        server.start();
        return new Service(server, dispatcher, watches, subscriptions, options.poll());
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return server.getAddress();
    }

    @Override
    public void close() {
        watches.close();
        dispatcher.drain(GRACE);
        poller.close();
        cleaner.close();
        server.stop(0);
        dispatcher.close();
    }
}
