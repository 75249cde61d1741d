package io.ontologia.server;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.Subscriptions;
import io.ontologia.server.internal.Service;
import java.net.InetSocketAddress;
import java.net.URI;

/**
 * A nameservice as a service over HTTP. Speaks plain HTTP: put something that speaks TLS in front of it where others can listen.
 *
 * <p>All methods may be called from any thread.
 */
public final class OntologiaServer implements AutoCloseable {
    private final Service service;

    private OntologiaServer(Service service) {
        this.service = service;
    }

    /**
     * Starts serving.
     *
     * @param names what is served; stays the caller's, who closes it after the server
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when the address is not loopback and there are no tokens,
     *     {@link ErrorKind#UNAVAILABLE} when it cannot be listened on
     */
    public static OntologiaServer start(Nameservice names, ServerOptions options) {
        return start(new Subscriptions(names), options);
    }

    /** As {@link #start(Nameservice, ServerOptions)}, for a process that writes and subscribes to the same nameservice itself. */
    public static OntologiaServer start(Subscriptions subscriptions, ServerOptions options) {
        InetSocketAddress address = options.address();
        if (address.isUnresolved()) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "cannot serve on " + address.getHostString(),
                    "this host has no address",
                    "use an address of this machine");
        }
        if (options.tokens().isEmpty() && !address.getAddress().isLoopbackAddress()) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "cannot serve on " + address.getHostString(),
                    "others can reach this address, and there are no access tokens",
                    "give tokens, or serve on 127.0.0.1");
        }
        return new OntologiaServer(Service.start(subscriptions, options));
    }

    /** Where it listens, for clients on this machine. */
    public URI uri() {
        InetSocketAddress address = service.address();
        String host = address.getAddress().isAnyLocalAddress()
                ? "127.0.0.1"
                : address.getAddress().getHostAddress().replaceFirst("%.*", "");
        return URI.create("http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort());
    }

    /** Ends event streams, takes no more requests, and lets those under way finish for up to ten seconds. Idempotent. */
    @Override
    public void close() {
        service.close();
    }
}
