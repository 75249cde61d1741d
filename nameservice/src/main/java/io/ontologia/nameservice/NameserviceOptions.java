package io.ontologia.nameservice;

import io.ontologia.kernel.Clock;
import io.ontologia.objectstore.ObjectStoreOptions;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * What a nameservice is opened with, besides its URI. A backend takes what it needs and ignores the rest.
 *
 * @param clock where time and waiting come from
 * @param random where jitter and the ids of attempts come from; must be safe for use by many threads, and no two processes may
 *     draw the same numbers
 * @param objectStore how to reach object stores
 * @param settings what only one backend knows, by names that it documents, for example an access token; may be secret
 */
public record NameserviceOptions(
        Clock clock, RandomGenerator random, ObjectStoreOptions objectStore, Map<String, String> settings) {
    /** The setting with the token that a service over HTTP wants. Secret. */
    public static final String HTTP_TOKEN = "http.token";

    /** The setting that says whether a service over HTTP is asked for secrets: {@code shown} (the default) or {@code redacted}. */
    public static final String HTTP_SECRETS = "http.secrets";

    public NameserviceOptions {
        settings = Map.copyOf(settings);
    }

    /** The machine's clock, unpredictable ids, {@link ObjectStoreOptions#defaults()}, no settings. */
    public static NameserviceOptions defaults() {
        return new NameserviceOptions(Clock.system(), new SecureRandom(), ObjectStoreOptions.defaults(), Map.of());
    }

    /** The same on another clock. */
    public NameserviceOptions clock(Clock source) {
        return new NameserviceOptions(source, random, objectStore.clock(source), settings);
    }

    /** The same with another source of jitter and ids. */
    public NameserviceOptions random(RandomGenerator source) {
        return new NameserviceOptions(clock, source, objectStore, settings);
    }

    /** The same with another way to reach object stores. */
    public NameserviceOptions objectStore(ObjectStoreOptions options) {
        return new NameserviceOptions(clock, random, options, settings);
    }

    /** The same with one more setting. */
    public NameserviceOptions setting(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(settings);
        more.put(name, value);
        return new NameserviceOptions(clock, random, objectStore, more);
    }

    /** Names the settings and not their values. */
    @Override
    public String toString() {
        return "NameserviceOptions[settings=" + settings.keySet() + "]";
    }
}
