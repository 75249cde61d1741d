package io.ontologia.server;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.time.Duration;

/**
 * What a server takes at most. What is over a limit is refused, never cut.
 *
 * @param bodyBytes the largest body of a request
 * @param pathBytes the longest path and query together
 * @param headerBytes all headers of a request together
 * @param requests how many requests are worked on at once; more are told to come back
 * @param watchers how many event streams are open at once
 * @param idle how long a connection stays open without a request. The JDK's server knows one such time per process: the first server
 *     that is started sets it
 * @param heartbeat how often an event stream shows that it lives
 */
public record ServerLimits(
        int bodyBytes, int pathBytes, int headerBytes, int requests, int watchers, Duration idle, Duration heartbeat) {
    public ServerLimits {
        if (bodyBytes < 1 || pathBytes < 1 || headerBytes < 1 || requests < 1 || watchers < 0 || idle.isNegative()) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT, "invalid limits of a server", "one is not positive", "correct them");
        }
    }

    /** 1 MiB bodies, 16 KiB paths and headers, 64 requests, 256 watchers, 30 seconds idle, a heartbeat every 15. */
    public static ServerLimits defaults() {
        return new ServerLimits(1 << 20, 16 << 10, 16 << 10, 64, 256, Duration.ofSeconds(30), Duration.ofSeconds(15));
    }

    /** The same with another limit of bodies. */
    public ServerLimits bodyBytes(int bytes) {
        return new ServerLimits(bytes, pathBytes, headerBytes, requests, watchers, idle, heartbeat);
    }

    /** The same with another limit of concurrent requests. */
    public ServerLimits requests(int count) {
        return new ServerLimits(bodyBytes, pathBytes, headerBytes, count, watchers, idle, heartbeat);
    }

    /** The same with another limit of open event streams. */
    public ServerLimits watchers(int count) {
        return new ServerLimits(bodyBytes, pathBytes, headerBytes, requests, count, idle, heartbeat);
    }

    /** The same with another time between heartbeats. */
    public ServerLimits heartbeat(Duration interval) {
        return new ServerLimits(bodyBytes, pathBytes, headerBytes, requests, watchers, idle, interval);
    }
}
