package io.ontologia.cli.internal.store;

import static io.ontologia.cli.OntoRun.onto;
import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.OntoRun;
import io.ontologia.testkit.SettableClock;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoreCheckTest {
    @Test
    void a_good_store_is_described_in_a_table() {
        OntoRun run = OntoRun.in(Map.of()).with(new SettableClock()).run("store", "check", "--storage-uri", "memory:");

        assertThat(run).returns(0, OntoRun::exitCode).returns("", OntoRun::err);
        assertThat(run.out()).isEqualTo("""
                        check                seen
                        location             memory:
                        conditional create   enforced
                        conditional replace  enforced
                        conditional delete   enforced
                        round trip           0.0 ms
                        """);
    }

    @Test
    void a_good_store_is_described_in_a_document() {
        OntoRun run = OntoRun.in(Map.of("ONTOLOGIA_STORAGE_URI", "memory:"))
                .with(new SettableClock())
                .run("store", "check", "--json");

        assertThat(run).returns(0, OntoRun::exitCode).returns("", OntoRun::err);
        assertThat(run.json())
                .isEqualTo(Map.of(
                        "ok", true,
                        "location", "memory:",
                        "conditional_create", "enforced",
                        "conditional_replace", "enforced",
                        "conditional_delete", "enforced",
                        "round_trip_ms", 0.0));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "s3:bucket               | invalid storage location 's3:bucket'",
                "ftp://host/x            | invalid storage location 'ftp://host/x'",
                "''                      | invalid storage location ''",
                "s3://                   | '' is no bucket name",
                "s3://Bad_Name/x         | 'Bad_Name' is no bucket name",
                "s3://bucket/a//b        | it has an empty segment",
                "http://me:secret@host/x | invalid storage location 'http:…'",
                "s3://me:secret@bucket/x | credentials and ports do not belong into the URI",
            })
    void a_wrong_uri_is_a_usage_error_that_shows_no_secret(String uri, String message) {
        OntoRun run = onto("store", "check", "--storage-uri", uri).failedWith(2);

        assertThat(run.err()).contains(message).doesNotContain("secret");
    }

    @Test
    void a_sqlite_location_has_no_store_to_check() {
        OntoRun byDefault = onto("store", "check").failedWith(4);
        OntoRun byName =
                onto("store", "check", "--storage-uri", "sqlite::memory:").failedWith(4);

        assertThat(byDefault.err()).contains("cannot check sqlite:///onto.db", "Name one with --storage-uri");
        assertThat(byName.err()).contains("cannot check sqlite::memory:");
    }
}
