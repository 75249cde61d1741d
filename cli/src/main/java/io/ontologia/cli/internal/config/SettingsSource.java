package io.ontologia.cli.internal.config;

import io.ontologia.core.Author;
import io.ontologia.core.EventOptions;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.S3Options;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Weighs where settings come from: a flag beats the environment, which beats the configuration file. A variable that is
 * set to nothing counts as not set.
 */
public final class SettingsSource {
    private static final String DEFAULT_DATABASE = "onto.db";

    private static final Set<ConfigOption> BACKEND = EnumSet.of(
            ConfigOption.S3_REGION,
            ConfigOption.S3_ENDPOINT_URL,
            ConfigOption.S3_REQUEST_TIMEOUT_S,
            ConfigOption.S3_OPERATION_TIMEOUT_S,
            ConfigOption.S3_DUCKDB_MEMORY_LIMIT,
            ConfigOption.CACHE_DIR,
            ConfigOption.BACKGROUND_COMPACTION);

    private static final Set<ConfigOption> EVENTS =
            EnumSet.range(ConfigOption.EVENT_POLL_INTERVAL_MS, ConfigOption.MAX_EVENTS_PER_ITERATION);

    private final Map<String, String> environment;

    /** Settings come from this environment, beside the flags. */
    public SettingsSource(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    /**
     * Resolves everything; opens nothing but the configuration file.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} that names the source of a bad value
     */
    public Settings resolve(@Nullable String storageUri, @Nullable String database, @Nullable String configFile) {
        ConfigFile config = Optional.ofNullable(configFile)
                .or(() -> variable("ONTOLOGIA_CONFIG"))
                .map(SettingsSource::path)
                .map(ConfigFile::read)
                .orElse(ConfigFile.empty());
        StorageLocation storage = location(
                        "--storage-uri", Optional.ofNullable(storageUri), "--db", Optional.ofNullable(database))
                .or(() -> location(
                        "ONTOLOGIA_STORAGE_URI",
                        variable("ONTOLOGIA_STORAGE_URI"),
                        "ONTOLOGIA_DB",
                        variable("ONTOLOGIA_DB")))
                .or(() -> location(
                        "storage_uri", config.value(ConfigOption.STORAGE_URI), "db", config.value(ConfigOption.DB)))
                .orElseGet(() -> StorageLocation.ofDatabase(DEFAULT_DATABASE));
        return new Settings(
                storage,
                s3(config),
                millis(config, ConfigOption.S3_LOCK_TIMEOUT_MS, 5_000),
                millis(config, ConfigOption.S3_LEASE_TTL_MS, 30_000),
                values(config, BACKEND),
                EventOptions.of(values(config, EVENTS)),
                variable("ONTOLOGIA_NAMESERVICE_URI").or(() -> config.value(ConfigOption.NAMESERVICE_URI)),
                variable("ONTOLOGIA_NAMESERVICE_UPSTREAM_URI")
                        .or(() -> config.value(ConfigOption.NAMESERVICE_UPSTREAM_URI)),
                variable(Author.VARIABLE)
                        .or(() -> config.value(ConfigOption.AUTHOR))
                        .map(Author::parse)
                        .orElseGet(Author::ofMachine),
                logLevel(config));
    }

    private Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isEmpty());
    }

    private static Optional<StorageLocation> location(
            String uriSource, Optional<String> uri, String databaseSource, Optional<String> database) {
        Optional<StorageLocation> byUri = uri.map(StorageLocation::parse);
        Optional<StorageLocation> byPath = database.map(StorageLocation::ofDatabase);
        if (byUri.isPresent() && byPath.isPresent() && !same(byUri.get(), byPath.get())) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "two different storage locations",
                    uriSource + " says "
                            + StorageLocation.withoutSecrets(byUri.get().uri()) + " and " + databaseSource + " says "
                            + byPath.get().uri(),
                    "give one of them");
        }
        return byUri.or(() -> byPath);
    }

    private static boolean same(StorageLocation a, StorageLocation b) {
        return a instanceof StorageLocation.SqliteFile first
                && b instanceof StorageLocation.SqliteFile second
                && first.sameFile(second);
    }

    private static S3Options s3(ConfigFile config) {
        S3Options options = S3Options.defaults();
        Optional<String> region = config.value(ConfigOption.S3_REGION);
        if (region.isPresent()) {
            options = options.region(region.get());
        }
        Optional<String> endpoint = config.value(ConfigOption.S3_ENDPOINT_URL);
        if (endpoint.isPresent()) {
            options = options.endpoint(URI.create(endpoint.get()));
        }
        Optional<String> timeout = config.value(ConfigOption.S3_REQUEST_TIMEOUT_S);
        if (timeout.isPresent()) {
            options = options.requestTimeout(seconds(timeout.get()));
        }
        Optional<String> operation = config.value(ConfigOption.S3_OPERATION_TIMEOUT_S);
        if (operation.isPresent()) {
            options = options.operationTimeout(seconds(operation.get()));
        }
        return options;
    }

    private static Duration seconds(String text) {
        return Duration.ofNanos((long) (Double.parseDouble(text) * 1e9));
    }

    private static Map<String, String> values(ConfigFile config, Set<ConfigOption> options) {
        Map<String, String> values = new HashMap<>();
        for (ConfigOption option : options) {
            config.value(option).ifPresent(value -> values.put(option.key(), value));
        }
        return values;
    }

    private static Duration millis(ConfigFile config, ConfigOption option, long otherwise) {
        return Duration.ofMillis(config.value(option).map(Long::parseLong).orElse(otherwise));
    }

    private LogLevel logLevel(ConfigFile config) {
        Optional<String> fromEnvironment = variable("ONTOLOGIA_LOG_LEVEL");
        if (fromEnvironment.isPresent() && !ConfigOption.LOG_LEVEL.accepts(fromEnvironment.get())) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid ONTOLOGIA_LOG_LEVEL",
                    "it is '" + fromEnvironment.get() + "'",
                    "it must be " + ConfigOption.LOG_LEVEL.expected());
        }
        return fromEnvironment
                .or(() -> config.value(ConfigOption.LOG_LEVEL))
                .map(text -> LogLevel.valueOf(text.toUpperCase(Locale.ROOT)))
                .orElse(LogLevel.OFF);
    }

    private static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "cannot read the configuration file '" + text + "'",
                    "it is no path on this system",
                    "name a readable YAML file");
        }
    }
}
