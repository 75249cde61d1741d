package io.ontologia.store.object.internal;

import io.ontologia.core.spi.StorageOptions;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** The settings of the specification's configuration table, given by name in {@link StorageOptions#settings}. */
final class ObjectSettings {
    private static final String LOCK_TIMEOUT = "s3_lock_timeout_ms";
    private static final String LEASE_TTL = "s3_lease_ttl_ms";

    private static final Set<String> NAMES = Set.of(
            "s3_region",
            "s3_endpoint_url",
            LOCK_TIMEOUT,
            LEASE_TTL,
            "s3_request_timeout_s",
            "s3_operation_timeout_s",
            "s3_duckdb_memory_limit");

    private ObjectSettings() {}

    /**
     * The options with the times that the settings name in the place of their own.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} for a time that is none, and for a name that begins with
     *     {@code s3_} and is not known
     */
    static StorageOptions applied(StorageOptions options) {
        options.settings().keySet().stream()
                .filter(name -> name.startsWith("s3_") && !NAMES.contains(name))
                .sorted()
                .findFirst()
                .ifPresent(name -> {
                    throw new OntologiaException(
                            ErrorKind.INVALID_INPUT,
                            "unknown setting " + name,
                            "object stores have no setting of that name",
                            "the names are "
                                    + String.join(", ", NAMES.stream().sorted().toList()));
                });
        StorageOptions applied = options;
        Optional<Duration> lock = millis(options, LOCK_TIMEOUT);
        if (lock.isPresent()) {
            applied = applied.lockTimeout(lock.get());
        }
        Optional<Duration> lease = millis(options, LEASE_TTL);
        return lease.isPresent() ? applied.leaseTtl(lease.get()) : applied;
    }

    private static Optional<Duration> millis(StorageOptions options, String name) {
        return Optional.ofNullable(options.settings().get(name)).map(text -> {
            if (!text.matches("[1-9][0-9]{0,9}")) {
                throw new OntologiaException(
                        ErrorKind.INVALID_INPUT,
                        "invalid " + name,
                        "it is '" + text + "'",
                        "give a whole number of milliseconds, 1 or more");
            }
            return Duration.ofMillis(Long.parseLong(text));
        });
    }
}
