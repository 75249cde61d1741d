package io.ontologia.store.object.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.spi.StorageOptions;
import io.ontologia.core.spi.Storages;
import io.ontologia.kernel.OntologiaException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Settings by name take effect or are refused. */
class ObjectSettingsTest {
    private static StorageOptions with(String name, String value) {
        return StorageOptions.defaults().settings(Map.of(name, value));
    }

    @Test
    void times_by_name_take_the_place_of_those_in_the_options() {
        assertThat(ObjectSettings.applied(with("s3_lock_timeout_ms", "1500")).lockTimeout())
                .isEqualTo(Duration.ofMillis(1500));
        assertThat(ObjectSettings.applied(with("s3_lease_ttl_ms", "60000")).leaseTtl())
                .isEqualTo(Duration.ofSeconds(60));
        assertThat(ObjectSettings.applied(with("cache_dir", "/tmp")).lockTimeout())
                .isEqualTo(Duration.ofSeconds(5));
    }

    @ParameterizedTest
    @CsvSource({
        "s3_lock_timeout_ms, soon",
        "s3_lock_timeout_ms, 0",
        "s3_lease_ttl_ms, -1",
        "s3_lease_ttl_s, 30",
        "s3_request_timeout_s, soon",
        "s3_operation_timeout_s, soon",
        "s3_operation_timeout_s, 9.9"
    })
    void what_cannot_take_effect_is_refused_by_its_name(String name, String value) {
        assertThatThrownBy(() -> Storages.open("memory:", with(name, value)))
                .isInstanceOf(OntologiaException.class)
                .hasMessageContaining(name);
    }
}
