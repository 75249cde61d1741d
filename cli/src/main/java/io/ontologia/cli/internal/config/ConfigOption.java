package io.ontologia.cli.internal.config;

import io.ontologia.kernel.OntologiaException;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Every option that a configuration file may hold, with what its value must look like. */
public enum ConfigOption {
    /** Where the data is, as {@code --storage-uri}. */
    STORAGE_URI("a storage URI such as sqlite:///onto.db or s3://bucket/prefix"),
    /** A SQLite file, as {@code --db}. */
    DB("the path of a SQLite file"),
    /** The nameservice, as {@code --ns}. */
    NAMESERVICE_URI("the URI of a nameservice such as file:///var/lib/names or https://names.example.com"),
    /** The nameservice that another one pushes to and pulls from. */
    NAMESERVICE_UPSTREAM_URI("the URI of a nameservice such as https://names.example.com"),
    /** The author that commits record. */
    AUTHOR("a name of up to 200 characters, or none to record no author"),
    /** What the libraries log. */
    LOG_LEVEL("off, error, warn, info, debug or trace"),
    /** The region of the bucket. */
    S3_REGION("the name of a region such as eu-central-1"),
    /** Another S3 server than AWS. */
    S3_ENDPOINT_URL("a URL such as http://127.0.0.1:9000"),
    /** How long to wait for the write lock. */
    S3_LOCK_TIMEOUT_MS("a whole number of milliseconds, 1 or more"),
    /** How long a write lock lives without being renewed. */
    S3_LEASE_TTL_MS("a whole number of milliseconds, 1 or more"),
    /** How long one request to S3 may take. */
    S3_REQUEST_TIMEOUT_S("a number of seconds, at least 0.001"),
    /** How long one operation on S3 may take, retries included. */
    S3_OPERATION_TIMEOUT_S("a number of seconds, at least 0.001"),
    /** How much memory DuckDB may use. */
    S3_DUCKDB_MEMORY_LIMIT("a size such as 256MB, in KB, MB, GB, TB or KiB to TiB"),
    /** Where copies of immutable objects and tables made from them are kept; they can be deleted at any time. */
    CACHE_DIR("the path of a folder"),
    /** Whether who has an object store open for writing merges small files meanwhile. */
    BACKGROUND_COMPACTION("true or false"),
    /** How long an idle worker waits before it looks for events again. */
    EVENT_POLL_INTERVAL_MS("a whole number of milliseconds, 1 or more"),
    /** How many events are claimed at once for a handler. */
    EVENT_CLAIM_LIMIT("a whole number, 1 or more"),
    /** How long a claim on an event lives without being renewed. */
    EVENT_CLAIM_LEASE_MS("a whole number of milliseconds, 1 or more"),
    /** How many failures make a dead letter. */
    EVENT_MAX_ATTEMPTS("a whole number, 1 or more"),
    /** The pause after a failure, doubled with every further one. */
    EVENT_BACKOFF_BASE_MS("a whole number of milliseconds, 1 or more"),
    /** The longest pause between attempts. */
    EVENT_BACKOFF_MAX_MS("a whole number of milliseconds, 1 or more"),
    /** How often a worker says that it is alive. */
    SESSION_HEARTBEAT_INTERVAL_MS("a whole number of milliseconds, 1 or more"),
    /** A worker not heard of for longer is dead. */
    SESSION_TTL_MS("a whole number of milliseconds, 1 or more"),
    /** How long a chain of events may get. */
    MAX_EVENT_CHAIN_DEPTH("a whole number, 1 or more"),
    /** How many events a worker takes on in one round. */
    MAX_EVENTS_PER_ITERATION("a whole number, 1 or more");

    private final String expected;

    ConfigOption(String expected) {
        this.expected = expected;
    }

    /** The name in the file. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What a value looks like, to complete «it must be …». */
    public String expected() {
        return expected;
    }

    boolean accepts(String text) {
        return switch (this) {
            case STORAGE_URI -> isStorageUri(text);
            case NAMESERVICE_URI, NAMESERVICE_UPSTREAM_URI -> text.indexOf(':') > 0;
            case DB, CACHE_DIR -> !text.isBlank();
            case AUTHOR -> !text.isBlank() && text.length() <= 200;
            case BACKGROUND_COMPACTION -> text.equals("true") || text.equals("false");
            case LOG_LEVEL ->
                Arrays.stream(LogLevel.values()).anyMatch(level -> level.name().equalsIgnoreCase(text));
            case S3_REGION -> text.matches("[a-z0-9-]{1,40}");
            case S3_ENDPOINT_URL -> isHttpUrl(text);
            case S3_LOCK_TIMEOUT_MS, S3_LEASE_TTL_MS -> text.matches("[1-9][0-9]{0,9}");
            case EVENT_POLL_INTERVAL_MS,
                    EVENT_CLAIM_LIMIT,
                    EVENT_CLAIM_LEASE_MS,
                    EVENT_MAX_ATTEMPTS,
                    EVENT_BACKOFF_BASE_MS,
                    EVENT_BACKOFF_MAX_MS,
                    SESSION_HEARTBEAT_INTERVAL_MS,
                    SESSION_TTL_MS,
                    MAX_EVENT_CHAIN_DEPTH,
                    MAX_EVENTS_PER_ITERATION -> text.matches("[1-9][0-9]{0,8}");
            case S3_REQUEST_TIMEOUT_S, S3_OPERATION_TIMEOUT_S ->
                text.matches("[0-9]{1,7}(\\.[0-9]{1,9})?") && Double.parseDouble(text) >= 0.001;
            case S3_DUCKDB_MEMORY_LIMIT -> text.matches("[1-9][0-9]{0,8}(\\.[0-9]{1,3})? ?[KMGT]i?B");
        };
    }

    static Optional<ConfigOption> of(String key) {
        return Arrays.stream(values()).filter(o -> o.key().equals(key)).findFirst();
    }

    static List<String> keys() {
        return Arrays.stream(values()).map(ConfigOption::key).toList();
    }

    private static boolean isStorageUri(String text) {
        try {
            StorageLocation.parse(text);
            return true;
        } catch (OntologiaException e) {
            return false;
        }
    }

    private static boolean isHttpUrl(String text) {
        try {
            URI uri = URI.create(text);
            return uri.getHost() != null && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
