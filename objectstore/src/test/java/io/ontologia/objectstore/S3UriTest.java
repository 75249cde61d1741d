package io.ontologia.objectstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class S3UriTest {
    private static final ObjectStoreOptions OPTIONS = ObjectStoreOptions.defaults()
            .s3(S3Options.defaults().region("eu-central-1").endpoint(URI.create("http://127.0.0.1:9")));

    @ParameterizedTest
    @CsvSource({
        "s3://bucket, s3://bucket",
        "s3://bucket/, s3://bucket",
        "s3://bucket/prefix, s3://bucket/prefix",
        "s3://my.bucket-1/a/b c/@d/, s3://my.bucket-1/a/b c/@d"
    })
    void a_uri_names_a_bucket_and_perhaps_a_prefix(String uri, String location) {
        try (ObjectStore store = ObjectStores.open(uri, OPTIONS)) {
            assertThat(store.location()).isEqualTo(location);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s3:",
                "s3:bucket",
                "s3://",
                "s3:///prefix",
                "s3://ab",
                "s3://Bucket",
                "s3://bucket_",
                "s3://buck..et",
                "s3://-bucket",
                "s3://127.0.0.1",
                "s3://bucket//prefix",
                "s3://bucket/../other",
                "s3://bucket/prefix?region=eu",
                "s3://bucket/prefix#part",
                "s3://bucket/back\\slash"
            })
    void anything_else_is_the_callers_mistake(String uri) {
        assertThatThrownBy(() -> ObjectStores.open(uri, OPTIONS))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_INPUT))
                .hasMessageContaining("cannot open '" + uri + "'");
    }

    @Test
    void a_prefix_leaves_room_for_the_longest_key() {
        String longest = "p".repeat(123);

        try (ObjectStore store = ObjectStores.open("s3://bucket/" + longest, OPTIONS)) {
            assertThat(store.location()).endsWith(longest);
        }
        assertThatThrownBy(() -> ObjectStores.open("s3://bucket/p" + longest, OPTIONS))
                .isInstanceOf(OntologiaException.class)
                .hasMessageContaining("prefix is longer");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s3://hunter2@bucket",
                "s3://AKIA:hunter2@bucket/prefix",
                "s3://AKIA:hunter2/with/slashes@bucket/prefix",
                "s3://AKIA/hunter2@bucket",
                "s3://AKIA:hunter2",
                "https://AKIA:hunter2@bucket",
                "swift:hunter2@container"
            })
    void credentials_in_a_uri_are_refused_and_not_shown(String uri) {
        assertThatThrownBy(() -> ObjectStores.open(uri, OPTIONS))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_INPUT))
                .hasMessageNotContaining("hunter2")
                .hasMessageNotContaining("AKIA");
    }

    @Test
    void aws_needs_a_region() {
        // The build hides the settings of the machine that it runs on, so there is none to be found.
        assertThatThrownBy(() -> ObjectStores.open("s3://bucket"))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_INPUT))
                .hasMessageContaining("no region is configured")
                .hasMessageContaining("s3_region");
    }

    @Test
    void another_server_needs_no_region() {
        S3Options options = S3Options.defaults().endpoint(URI.create("http://127.0.0.1:9"));

        try (ObjectStore store =
                ObjectStores.open("s3://bucket", ObjectStoreOptions.defaults().s3(options))) {
            assertThat(store.location()).isEqualTo("s3://bucket");
        }
    }
}
