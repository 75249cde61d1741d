package io.ontologia.objectstore;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.time.Duration;

/**
 * How long leases last and how long to wait for one.
 *
 * @param ttl how long a lease lasts without renewal, in whole milliseconds; clocks of all holders must agree within a
 *     third of it
 * @param acquireTimeout how long to wait for a lock that another holds; zero to try once
 * @param releaseStyle what a released lock leaves behind
 */
public record LeaseOptions(Duration ttl, Duration acquireTimeout, ReleaseStyle releaseStyle) {
    private static final Duration LONGEST = Duration.ofDays(1);

    public LeaseOptions {
        if (ttl.isNegative() || ttl.isZero() || ttl.toNanosPart() % 1_000_000 != 0 || ttl.compareTo(LONGEST) > 0) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid lease ttl " + ttl,
                    "it must be whole milliseconds, more than zero and at most a day",
                    "choose for example 30 seconds");
        }
        if (acquireTimeout.isNegative() || acquireTimeout.compareTo(LONGEST) > 0) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid lock timeout " + acquireTimeout,
                    "it must not be negative and at most a day",
                    "choose for example 5 seconds");
        }
    }

    /** 30 seconds of lease, 5 seconds of waiting, and a lock object that stays. */
    public static LeaseOptions defaults() {
        return new LeaseOptions(Duration.ofSeconds(30), Duration.ofSeconds(5), ReleaseStyle.EXPIRE);
    }

    /** The same with leases of another length. */
    public LeaseOptions ttl(Duration length) {
        return new LeaseOptions(length, acquireTimeout, releaseStyle);
    }

    /** The same with another time to wait. */
    public LeaseOptions acquireTimeout(Duration limit) {
        return new LeaseOptions(ttl, limit, releaseStyle);
    }

    /** The same with another way to release. */
    public LeaseOptions releaseStyle(ReleaseStyle style) {
        return new LeaseOptions(ttl, acquireTimeout, style);
    }

    /** The safety margin and the interval of renewals: a third of the ttl. */
    Duration third() {
        return ttl.dividedBy(3);
    }
}
