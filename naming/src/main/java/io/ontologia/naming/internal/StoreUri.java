package io.ontologia.naming.internal;

import java.nio.file.Path;

/** URIs of stores as others can use them, wherever they work. */
public final class StoreUri {
    private static final String SQLITE = "sqlite:///";

    private StoreUri() {}

    /** The one URI of a store, without reference to the folder that this process works in. */
    public static String absolute(String uri) {
        if (!uri.startsWith(SQLITE)) {
            return uri.replaceFirst("(?<=[^/])/+$", "");
        }
        return SQLITE + Path.of(uri.substring(SQLITE.length())).toAbsolutePath().normalize();
    }
}
