package io.ontologia.cli.internal.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.Author;
import io.ontologia.core.EventOptions;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.S3Options;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsSourceTest {
    @TempDir
    Path folder;

    @Test
    void when_nothing_is_said_the_defaults_of_the_documentation_hold() {
        Settings settings = new SettingsSource(Map.of()).resolve(null, null, null);

        assertThat(settings)
                .isEqualTo(new Settings(
                        new StorageLocation.SqliteFile(Path.of("onto.db")),
                        S3Options.defaults(),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(30),
                        Map.of(),
                        EventOptions.defaults(),
                        Optional.empty(),
                        Optional.empty(),
                        Author.ofMachine(),
                        LogLevel.OFF));
        assertThat(settings.author().name().orElseThrow()).matches(".+@.+");
    }

    @Test
    void the_author_comes_from_the_environment_or_the_file_and_can_be_turned_off() throws IOException {
        String config = config("author: from file\n").toString();

        assertThat(author(Map.of(), config)).contains("from file");
        assertThat(author(Map.of("ONTOLOGIA_AUTHOR", "ann"), config)).contains("ann");
        assertThat(author(Map.of("ONTOLOGIA_AUTHOR", ""), config)).contains("from file");
        assertThat(author(Map.of("ONTOLOGIA_AUTHOR", "none"), config)).isEmpty();
        assertThat(author(Map.of(), config("author: none\n").toString())).isEmpty();
    }

    private static Optional<String> author(Map<String, String> environment, String config) {
        return new SettingsSource(environment)
                .resolve(null, null, config)
                .author()
                .name();
    }

    @Test
    void the_options_of_the_event_bus_come_from_the_file() throws IOException {
        Path config = config("event_claim_lease_ms: 5000\nevent_max_attempts: 3\nmax_event_chain_depth: 7\n");

        Settings settings = new SettingsSource(Map.of()).resolve(null, null, config.toString());

        assertThat(settings.events())
                .isEqualTo(EventOptions.of(Map.of(
                        "event_claim_lease_ms", "5000", "event_max_attempts", "3", "max_event_chain_depth", "7")));
        assertThat(settings.events().claimLease()).isEqualTo(Duration.ofSeconds(5));
        assertThat(settings.backend()).isEmpty();
    }

    @Test
    void a_flag_beats_the_environment_which_beats_the_file() throws IOException {
        Path config = config("storage_uri: s3://from-file/x\nlog_level: info\n");
        Map<String, String> environment = Map.of(
                "ONTOLOGIA_STORAGE_URI", "s3://from-environment/x",
                "ONTOLOGIA_LOG_LEVEL", "DEBUG",
                "ONTOLOGIA_CONFIG", config.toString());

        Settings byFile = new SettingsSource(Map.of()).resolve(null, null, config.toString());
        Settings byEnvironment = new SettingsSource(environment).resolve(null, null, null);
        Settings byFlag = new SettingsSource(environment).resolve("s3://from-flag/x", null, null);
        Settings byOtherFlag = new SettingsSource(environment).resolve(null, "flag.db", null);

        assertThat(byFile.storage().uri()).isEqualTo("s3://from-file/x");
        assertThat(byFile.logLevel()).isEqualTo(LogLevel.INFO);
        assertThat(byEnvironment.storage().uri()).isEqualTo("s3://from-environment/x");
        assertThat(byEnvironment.logLevel()).isEqualTo(LogLevel.DEBUG);
        assertThat(byFlag.storage().uri()).isEqualTo("s3://from-flag/x");
        assertThat(byOtherFlag.storage().uri()).isEqualTo("sqlite:///flag.db");
    }

    @Test
    void a_config_file_named_by_a_flag_is_read_instead_of_the_one_in_the_environment() throws IOException {
        Path config = config("db: from-flag.db\n");

        Settings settings = new SettingsSource(Map.of("ONTOLOGIA_CONFIG", "does-not-exist.yaml"))
                .resolve(null, null, config.toString());

        assertThat(settings.storage().uri()).isEqualTo("sqlite:///from-flag.db");
    }

    @Test
    void an_empty_variable_counts_as_not_set() {
        Settings settings = new SettingsSource(Map.of(
                        "ONTOLOGIA_STORAGE_URI",
                        "",
                        "ONTOLOGIA_DB",
                        "",
                        "ONTOLOGIA_CONFIG",
                        "",
                        "ONTOLOGIA_LOG_LEVEL",
                        ""))
                .resolve(null, null, null);

        assertThat(settings.storage().uri()).isEqualTo("sqlite:///onto.db");
    }

    @Test
    void two_different_locations_from_one_source_are_refused_and_two_names_of_one_are_not() throws IOException {
        SettingsSource source = new SettingsSource(Map.of());
        Path config = config("storage_uri: 'memory:'\ndb: a.db\n");

        Settings same = source.resolve("sqlite:///./a.db", "a.db", null);

        assertThat(same.storage().uri()).isEqualTo("sqlite:///./a.db");
        assertInvalid(() -> source.resolve("sqlite:///b.db", "a.db", null))
                .hasMessage("two different storage locations: --storage-uri says sqlite:///b.db and --db says"
                        + " sqlite:///a.db. give one of them");
        assertInvalid(() -> new SettingsSource(Map.of("ONTOLOGIA_STORAGE_URI", "memory:", "ONTOLOGIA_DB", "a.db"))
                        .resolve(null, null, null))
                .hasMessageContaining("ONTOLOGIA_STORAGE_URI says memory: and ONTOLOGIA_DB says");
        assertInvalid(() -> source.resolve(null, null, config.toString()))
                .hasMessageContaining("storage_uri says memory: and db says");
    }

    @ParameterizedTest
    @CsvSource({
        "sqlite:///rel.db, sqlite:///rel.db",
        "sqlite:////abs/x.db, sqlite:////abs/x.db",
        "sqlite::memory:, sqlite::memory:",
        "s3://bucket/prefix, s3://bucket/prefix",
        "file:///folder, file:///folder",
        "memory:, memory:"
    })
    void every_documented_storage_uri_is_understood(String uri, String expected) {
        assertThat(StorageLocation.parse(uri).uri()).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"onto.db", "s3:bucket", "http://host/x", "sqlite://onto.db", "sqlite:///", "S3://bucket", " "})
    void a_text_that_names_no_storage_is_refused_with_what_would(String uri) {
        assertInvalid(() -> StorageLocation.parse(uri))
                .hasMessageContaining("invalid storage location '")
                .hasMessageContaining("s3://bucket/prefix");
    }

    @Test
    void the_file_sets_every_option_of_the_configuration_table() throws IOException {
        Path config = config("""
                # where we work
                s3_region: eu-central-1
                s3_endpoint_url: http://127.0.0.1:9000
                s3_lock_timeout_ms: 1500
                s3_lease_ttl_ms: 60000
                s3_request_timeout_s: 2.5
                s3_operation_timeout_s: 30
                s3_duckdb_memory_limit: 1GB
                cache_dir: /var/cache/onto
                background_compaction: true
                """);

        Settings settings = new SettingsSource(Map.of()).resolve(null, null, config.toString());

        assertThat(settings.s3())
                .isEqualTo(S3Options.defaults()
                        .region("eu-central-1")
                        .endpoint(URI.create("http://127.0.0.1:9000"))
                        .requestTimeout(Duration.ofMillis(2_500))
                        .operationTimeout(Duration.ofSeconds(30)));
        assertThat(settings.lockTimeout()).isEqualTo(Duration.ofMillis(1_500));
        assertThat(settings.leaseTtl()).isEqualTo(Duration.ofSeconds(60));
        assertThat(settings.backend())
                .isEqualTo(Map.of(
                        "s3_region", "eu-central-1",
                        "s3_endpoint_url", "http://127.0.0.1:9000",
                        "s3_request_timeout_s", "2.5",
                        "s3_operation_timeout_s", "30",
                        "s3_duckdb_memory_limit", "1GB",
                        "cache_dir", "/var/cache/onto",
                        "background_compaction", "true"));
    }

    @Test
    void null_in_the_file_means_the_default_and_an_empty_file_sets_nothing() throws IOException {
        Path nulls = config("s3_region: null\ns3_endpoint_url:\ns3_lock_timeout_ms: ~\n");
        Path empty = Files.writeString(folder.resolve("empty.yaml"), "# nothing yet\n");
        SettingsSource source = new SettingsSource(Map.of());

        assertThat(source.resolve(null, null, nulls.toString())).isEqualTo(source.resolve(null, null, null));
        assertThat(source.resolve(null, null, empty.toString())).isEqualTo(source.resolve(null, null, null));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "s3_regoin: x               | line 2: unknown option 's3_regoin'. known are storage_uri, db",
                "s3_lock_timeout_ms: soon   | line 2: s3_lock_timeout_ms is 'soon'. it must be a whole number",
                "s3_lock_timeout_ms: 0      | line 2: s3_lock_timeout_ms is '0'",
                "s3_request_timeout_s: -1   | line 2: s3_request_timeout_s is '-1'",
                "s3_request_timeout_s: .inf | line 2: s3_request_timeout_s is '.inf'",
                "s3_endpoint_url: localhost | line 2: s3_endpoint_url is 'localhost'. it must be a URL",
                "s3_duckdb_memory_limit: 1  | line 2: s3_duckdb_memory_limit is '1'",
                "storage_uri: ftp://x       | line 2: storage_uri is 'ftp://x'",
                "log_level: loud            | line 2: log_level is 'loud'",
                "s3_region: [a, b]          | line 2: one value belongs here",
                "s3_region: a: b            | line 2: mapping values are not allowed here",
                "- s3_region                | line 2: ",
            })
    void a_mistake_in_the_file_is_shown_with_its_line(String line, String message) throws IOException {
        Path config = config("# first line\n" + line + "\n");

        assertInvalid(() -> new SettingsSource(Map.of()).resolve(null, null, config.toString()))
                .hasMessageStartingWith("invalid configuration, " + config + " " + message);
    }

    @Test
    void an_option_given_twice_is_shown_with_the_second_line() throws IOException {
        Path config = config("s3_region: a\ns3_region: b\n");

        assertInvalid(() -> new SettingsSource(Map.of()).resolve(null, null, config.toString()))
                .hasMessageContaining("line 2: 's3_region' is given twice");
    }

    @Test
    void a_file_that_cannot_be_read_is_named_with_the_reason() throws IOException {
        SettingsSource source = new SettingsSource(Map.of());
        Path binary = Files.write(folder.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});

        assertInvalid(() -> source.resolve(
                        null, null, folder.resolve("missing.yaml").toString()))
                .hasMessageContaining("missing.yaml: there is no such file");
        assertInvalid(() -> source.resolve(null, null, folder.toString())).hasMessageContaining("it is a folder");
        assertInvalid(() -> source.resolve(null, null, binary.toString())).hasMessageContaining("it is not UTF-8 text");
    }

    @Test
    void an_unknown_log_level_in_the_environment_is_refused() {
        assertInvalid(() -> new SettingsSource(Map.of("ONTOLOGIA_LOG_LEVEL", "loud")).resolve(null, null, null))
                .hasMessageContaining("invalid ONTOLOGIA_LOG_LEVEL: it is 'loud'");
    }

    private Path config(String text) throws IOException {
        return Files.writeString(folder.resolve("onto.yaml"), text);
    }

    private static AbstractThrowableAssert<?, ?> assertInvalid(ThrowingCallable call) {
        return assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_INPUT));
    }
}
