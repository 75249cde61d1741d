package io.ontologia.objectstore;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.FileModes;
import io.ontologia.kernel.OntologiaException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/**
 * What a store is opened with, besides its URI. A store takes what it needs and ignores the rest.
 *
 * @param clock where time and waiting come from
 * @param random where the jitter of retries comes from; must be safe for use by many threads
 * @param s3 how to reach S3; only for {@code s3:} URIs
 * @param lockTimeout how long a write to a folder waits for other processes that change the same part of it, which takes
 *     milliseconds; values below a second count as a second. Only for {@code file:} URIs
 * @param fileModes which users of the machine can read the files that the store creates. Only for {@code file:} URIs
 */
public record ObjectStoreOptions(
        Clock clock, RandomGenerator random, S3Options s3, Duration lockTimeout, FileModes fileModes) {
    private static final RandomGenerator OF_THE_THREAD =
            () -> ThreadLocalRandom.current().nextLong();
    private static final ObjectStoreOptions DEFAULTS = new ObjectStoreOptions(
            Clock.system(), OF_THE_THREAD, S3Options.defaults(), Duration.ofSeconds(5), FileModes.UMASK);

    public ObjectStoreOptions {
        if (lockTimeout.isNegative()) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid lock timeout " + lockTimeout,
                    "it is negative",
                    "choose for example 5 seconds");
        }
    }

    /** The machine's clock, unpredictable jitter, {@link S3Options#defaults()}, 5 seconds for locks, files as the umask says. */
    public static ObjectStoreOptions defaults() {
        return DEFAULTS;
    }

    /** The same on another clock. */
    public ObjectStoreOptions clock(Clock source) {
        return new ObjectStoreOptions(source, random, s3, lockTimeout, fileModes);
    }

    /** The same with another source of jitter. */
    public ObjectStoreOptions random(RandomGenerator source) {
        return new ObjectStoreOptions(clock, source, s3, lockTimeout, fileModes);
    }

    /** The same with another way to reach S3. */
    public ObjectStoreOptions s3(S3Options options) {
        return new ObjectStoreOptions(clock, random, options, lockTimeout, fileModes);
    }

    /** The same with another time to wait for other processes. */
    public ObjectStoreOptions lockTimeout(Duration limit) {
        return new ObjectStoreOptions(clock, random, s3, limit, fileModes);
    }

    /** The same with other modes of files. */
    public ObjectStoreOptions fileModes(FileModes modes) {
        return new ObjectStoreOptions(clock, random, s3, lockTimeout, modes);
    }
}
