package io.ontologia.server.internal;

import io.ontologia.server.ServerLimits;

/**
 * Settings of the JDK's server that exist only as properties of the process, read when the first server is made. What somebody set
 * already stays.
 */
final class HttpDefaults {
    private static final String PREFIX = "sun.net.httpserver.";

    private HttpDefaults() {}

    /** Sets them. */
    static void apply(ServerLimits limits) {
        set("idleInterval", Math.max(1, limits.idle().toSeconds()));
        // Who takes longer than this to send a request is cut off.
        set("maxReqTime", Math.max(1, limits.idle().toSeconds()));
        set("maxReqHeaderSize", limits.headerBytes() * 2L);
        // Small replies would wait for an acknowledgement of the one before.
        set("nodelay", true);
    }

    private static void set(String name, Object value) {
        if (System.getProperty(PREFIX + name) == null) {
            System.setProperty(PREFIX + name, value.toString());
        }
    }
}
