package io.ontologia.cli.internal.config;

import io.ontologia.core.Author;
import io.ontologia.core.EventOptions;
import io.ontologia.objectstore.S3Options;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What one run works with, after flags, environment and configuration file were weighed.
 *
 * @param storage where the data is
 * @param s3 how to reach S3
 * @param lockTimeout {@code s3_lock_timeout_ms}: how long to wait for the write lock of an object store
 * @param leaseTtl {@code s3_lease_ttl_ms}: how long that lock lives without being renewed
 * @param backend what only some backends know, by the names of the configuration table
 * @param events how the event bus behaves
 * @param nameservice {@code nameservice_uri}: where stores are looked up by name
 * @param upstream {@code nameservice_upstream_uri}: the nameservice that it pushes to and pulls from
 * @param author the author that commits record
 * @param logLevel what the libraries log
 */
public record Settings(
        StorageLocation storage,
        S3Options s3,
        Duration lockTimeout,
        Duration leaseTtl,
        Map<String, String> backend,
        EventOptions events,
        Optional<String> nameservice,
        Optional<String> upstream,
        Author author,
        LogLevel logLevel) {
    public Settings {
        backend = Map.copyOf(backend);
    }
}
