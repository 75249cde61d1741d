package io.ontologia.core.spi;

import io.ontologia.kernel.Clock;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * How to open a store.
 *
 * @param lockTimeout how long a write waits for others
 * @param leaseTtl how long a long-held lock is valid without renewal
 * @param settings what only some backends know, by the names of the configuration table, for example {@code
 *     s3_endpoint_url}; a backend ignores what is not its own
 */
public record StorageOptions(
        Mode mode,
        Durability durability,
        Duration lockTimeout,
        Duration leaseTtl,
        Clock clock,
        RandomGenerator random,
        Map<String, String> settings) {
    public StorageOptions {
        settings = Map.copyOf(settings);
    }

    /** What may be done with the store. */
    public enum Mode {
        /** Reads and writes; the store is created when it is not there. */
        READ_WRITE,
        /** Reads only: nothing is created and no byte is changed. */
        READ_ONLY
    }

    /** When a commit counts as stored. */
    public enum Durability {
        /** When it survives a power loss. */
        POWER_LOSS,
        /** When it survives the end of the process; the last commits may be lost with the power. */
        PROCESS_CRASH
    }

    /** Read and write, safe against power loss, 5 seconds for locks, leases of 30 seconds. */
    public static StorageOptions defaults() {
        return new StorageOptions(
                Mode.READ_WRITE,
                Durability.POWER_LOSS,
                Duration.ofSeconds(5),
                Duration.ofSeconds(30),
                Clock.system(),
                new SecureRandom(),
                Map.of());
    }

    /** The same in another mode. */
    public StorageOptions mode(Mode other) {
        return new StorageOptions(other, durability, lockTimeout, leaseTtl, clock, random, settings);
    }

    /** The same with another durability. */
    public StorageOptions durability(Durability other) {
        return new StorageOptions(mode, other, lockTimeout, leaseTtl, clock, random, settings);
    }

    /** The same with another time limit for locks. */
    public StorageOptions lockTimeout(Duration other) {
        return new StorageOptions(mode, durability, other, leaseTtl, clock, random, settings);
    }

    /** The same with another lease time. */
    public StorageOptions leaseTtl(Duration other) {
        return new StorageOptions(mode, durability, lockTimeout, other, clock, random, settings);
    }

    /** The same with another clock. */
    public StorageOptions clock(Clock other) {
        return new StorageOptions(mode, durability, lockTimeout, leaseTtl, other, random, settings);
    }

    /** The same with other settings for the backend. */
    public StorageOptions settings(Map<String, String> other) {
        return new StorageOptions(mode, durability, lockTimeout, leaseTtl, clock, random, other);
    }
}
