package io.ontologia.nameservice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.Json;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.spi.RecordJson;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WireFormsTest {
    @ParameterizedTest
    @CsvSource({
        "mydb, mydb:main",
        "mydb:dev, mydb:dev",
        "vg:search, vg:search:main",
        "vg:search:main, vg:search:main",
        "a/b:c/d, a/b:c/d",
        "vg:vg, vg:vg:main"
    })
    void an_alias_has_one_text(String written, String text) {
        assertThat(Alias.parse(written)).hasToString(text);
        assertThat(Alias.parse(text)).isEqualTo(Alias.parse(written));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ":", "a:", ":b", "a:b:c", "vg:", "vg::", "vg:a:b:c", "a\nb", "a\u0000", "\ud800", "vg"})
    void what_is_no_alias_is_refused(String text) {
        assertInvalid(() -> Alias.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "vg:", "table", "vg: x", "Ledger"})
    void what_is_no_type_is_refused(String text) {
        assertInvalid(() -> new EntityType(text));
    }

    @Test
    void ledgers_and_graph_sources_have_aliases_of_their_own() {
        assertInvalid(() -> NewRecord.of(Alias.parse("x"), EntityType.BM25));
        assertInvalid(() -> NewRecord.ledger(Alias.parse("vg:x")));
    }

    @Test
    void a_record_of_the_specification_reads_and_writes_back() {
        String json = """
                {"branch":"main","config":{"default_context":"c","index_threshold":1000},"config_v":2,"created_at":1705312200,\
                "deps":["a:main"],"head":{"address":"x","t":42},"head_v":42,"index":{"audit-log":null,"default":{"address":"i",\
                "rev":0,"t":42}},"index_v":17,"name":"search","pk":"vg:search:main","retracted":false,"status":{"state":"ready"},\
                "status_v":89,"type":"vg:bm25","v":2}""";

        NameRecord record =
                RecordJson.read("test", JsonObject.parse("test", json).fields());

        assertThat(record.watermarks()).isEqualTo(new Watermarks(42, 17, 89, 2));
        assertThat(RecordJson.write(record)).hasSize(16);
        assertThat(io.ontologia.kernel.CanonicalJson.write(RecordJson.write(record)))
                .isEqualTo(json);
    }

    @Test
    void payloads_keep_numbers_that_a_double_cannot_hold() {
        ConcernPayload payload = ConcernPayload.parse("{\"id\":1234567890123456789012345}");

        assertThat(payload.json()).isEqualTo("{\"id\":1234567890123456789012345}");
        assertThat(payload)
                .isEqualTo(ConcernPayload.of(Map.of("id", new java.math.BigInteger("1234567890123456789012345"))));
    }

    @Test
    void payloads_and_options_do_not_tell_their_values() {
        ConcernValue config = ConcernValue.of(1, Map.of("password", "hunter2"));

        assertThat(config.toString()).doesNotContain("hunter2").contains("password");
        assertThat(NameserviceOptions.defaults().setting("token", "hunter2").toString())
                .doesNotContain("hunter2");
        assertThat(Json.parse(Redaction.of(Concern.CONFIG, config)
                        .payload()
                        .orElseThrow()
                        .json()))
                .isEqualTo(Map.of("password", Redaction.MARK));
    }

    private static void assertInvalid(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_INPUT));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:oracle:thin:scott/tiger@host:1521:db",
                "host=db;user=scott;Password=tiger",
                "postgres://scott:tiger@host/db",
                "scott:tiger@host/db",
                "AccountName=a;AccountKey=tiger"
            })
    void a_connection_string_with_a_password_is_hidden_under_every_key(String text) {
        for (String key : List.of("warehouse", "database", "default_context")) {
            ConcernValue shown = Redaction.of(Concern.CONFIG, ConcernValue.of(1, Map.of(key, text)));

            assertThat(shown.payload().orElseThrow().json()).doesNotContain("tiger");
        }
    }
}
