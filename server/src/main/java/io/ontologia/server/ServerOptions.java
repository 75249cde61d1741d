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
 * @param tokens who may use it; none means everybody who can reach it, which is allowed on loopback only
 * @param limits what it takes at most
 * @param poll how often it looks for what others wrote past it, for its event streams
 * @param clock where time and waiting come from
 * @param random where the id of this server comes from
 */
public record ServerOptions(
        InetSocketAddress address,
        List<AccessToken> tokens,
        ServerLimits limits,
        Duration poll,
        Clock clock,
        RandomGenerator random) {
    /** The port when none is named. */
    public static final int DEFAULT_PORT = 7420;

    public ServerOptions {
        tokens = List.copyOf(tokens);
    }

    /** Loopback, {@link #DEFAULT_PORT}, no tokens, {@link ServerLimits#defaults()}, the machine's clock. */
    public static ServerOptions defaults() {
        return new ServerOptions(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), DEFAULT_PORT),
                List.of(),
                ServerLimits.defaults(),
                Duration.ofSeconds(1),
                Clock.system(),
                new SecureRandom());
    }

    /** The same on another address. */
    public ServerOptions address(InetSocketAddress where) {
        return new ServerOptions(where, tokens, limits, poll, clock, random);
    }

    /** The same on loopback with another port. */
    public ServerOptions port(int port) {
        return address(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /** The same with one more token. */
    public ServerOptions token(AccessToken token) {
        List<AccessToken> more = new ArrayList<>(tokens);
        more.add(token);
        return new ServerOptions(address, more, limits, poll, clock, random);
    }

    /** The same with other limits. */
    public ServerOptions limits(ServerLimits other) {
        return new ServerOptions(address, tokens, other, poll, clock, random);
    }

    /** The same, looking more or less often for what others wrote. */
    public ServerOptions poll(Duration interval) {
        return new ServerOptions(address, tokens, limits, interval, clock, random);
    }

    /** The same on another clock. */
    public ServerOptions clock(Clock source) {
        return new ServerOptions(address, tokens, limits, poll, source, random);
    }
}
