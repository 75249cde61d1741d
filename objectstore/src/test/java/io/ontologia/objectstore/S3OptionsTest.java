package io.ontologia.objectstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class S3OptionsTest {

    @Test
    void each_option_changes_alone() {
        S3Options options = S3Options.defaults()
                .region("eu-central-1")
                .endpoint(URI.create("https://storage.example.org:9000/s3"))
                .requestTimeout(Duration.ofSeconds(3))
                .addressing(S3Options.Addressing.VIRTUAL_HOST);

        assertThat(options.region()).contains("eu-central-1");
        assertThat(options.endpoint()).contains(URI.create("https://storage.example.org:9000/s3"));
        assertThat(options.requestTimeout()).isEqualTo(Duration.ofSeconds(3));
        assertThat(options.addressing()).isEqualTo(S3Options.Addressing.VIRTUAL_HOST);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "storage.example.org",
                "ftp://storage.example.org",
                "http:///bucket",
                "https://key:hunter2@storage.example.org",
                "https://storage.example.org?secret=hunter2",
                "https://storage.example.org#hunter2"
            })
    void an_endpoint_that_is_no_plain_web_address_is_refused_without_showing_it(String url) {
        assertThatThrownBy(() -> S3Options.defaults().endpoint(URI.create(url)))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_INPUT))
                .hasMessageContaining("s3_endpoint_url")
                .hasMessageNotContaining("hunter2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "EU", "eu central", "-eu", "eu-", "eu.evil.example"})
    void a_region_that_no_host_name_could_hold_is_refused(String region) {
        assertThatThrownBy(() -> S3Options.defaults().region(region))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_INPUT))
                .hasMessageContaining("s3_region");
    }

    @Test
    void a_time_limit_must_leave_time() {
        assertThatThrownBy(() -> S3Options.defaults().requestTimeout(Duration.ZERO))
                .isInstanceOf(OntologiaException.class)
                .hasMessageContaining("s3_request_timeout_s");
    }
}
