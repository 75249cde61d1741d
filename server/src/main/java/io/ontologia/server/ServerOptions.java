package io.ontologia.server;

import io.ontologia.kernel.Clock;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * How a server is started.
 *
 * @param address where it listens; port 0 for any free one
 * @param tokens the tokens that give access; without any the server answers everyone who can reach it, which is allowed on loopback
 *     only
 * @param withoutTokens what requests may do on a server without tokens; they never see secrets
 * @param limits what it takes at most
 * @param poll how often it looks for what others wrote past it, for its event streams
 * @param clock where time and waiting come from
 * @param random where the id of this server comes from
 * @param onOutOfMemory called on the thread of the request that ran out of memory. The process should end then: what other threads
 *     were doing is undefined
 */
public record ServerOptions(
        InetSocketAddress address,
        List<AccessToken> tokens,
        Scope withoutTokens,
        ServerLimits limits,
        Duration poll,
        Clock clock,
        RandomGenerator random,
        Runnable onOutOfMemory) {
    /** The port when none is named. */
    public static final int DEFAULT_PORT = 7420;

    public ServerOptions {
        tokens = List.copyOf(tokens);
    }

    /**
     * Loopback, {@link #DEFAULT_PORT}, no tokens and therefore read access only, {@link ServerLimits#defaults()}, the machine's clock,
     * and no action when memory runs out.
     */
    public static ServerOptions defaults() {
        return new ServerOptions(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), DEFAULT_PORT),
                List.of(),
                Scope.READ,
                ServerLimits.defaults(),
                Duration.ofSeconds(1),
                Clock.system(),
                new SecureRandom(),
                () -> {});
    }

    /** The same on another address. */
    public ServerOptions address(InetSocketAddress where) {
        return new ServerOptions(where, tokens, withoutTokens, limits, poll, clock, random, onOutOfMemory);
    }

    /** The same on loopback with another port. */
    public ServerOptions port(int port) {
        return address(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /** The same with one more token. */
    public ServerOptions token(AccessToken token) {
        List<AccessToken> more = new ArrayList<>(tokens);
        more.add(token);
        return new ServerOptions(address, more, withoutTokens, limits, poll, clock, random, onOutOfMemory);
    }

    /**
     * The same with other rights for requests on a server without tokens. {@link Scope#WRITE} lets every user of this machine change
     * records; secrets still need a token.
     */
    public ServerOptions withoutTokens(Scope scope) {
        return new ServerOptions(address, tokens, scope, limits, poll, clock, random, onOutOfMemory);
    }

    /** The same with other limits. */
    public ServerOptions limits(ServerLimits other) {
        return new ServerOptions(address, tokens, withoutTokens, other, poll, clock, random, onOutOfMemory);
    }

    /** The same, looking more or less often for what others wrote. */
    public ServerOptions poll(Duration interval) {
        return new ServerOptions(address, tokens, withoutTokens, limits, interval, clock, random, onOutOfMemory);
    }

    /** The same on another clock. */
    public ServerOptions clock(Clock source) {
        return new ServerOptions(address, tokens, withoutTokens, limits, poll, source, random, onOutOfMemory);
    }

    /** The same with another action when memory runs out. */
    public ServerOptions onOutOfMemory(Runnable action) {
        return new ServerOptions(address, tokens, withoutTokens, limits, poll, clock, random, action);
    }
}
