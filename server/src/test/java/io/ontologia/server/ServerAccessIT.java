package io.ontologia.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.EntityType;
import io.ontologia.nameservice.NameQuery;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.NameserviceOptions;
import io.ontologia.nameservice.Nameservices;
import io.ontologia.nameservice.NewRecord;
import io.ontologia.nameservice.Redaction;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may see and do what. */
class ServerAccessIT {
    private static final AccessToken READER = new AccessToken("read-read-read-read", Scope.READ);
    private static final AccessToken WRITER = new AccessToken("write-write-write-write", Scope.WRITE);
    private static final Alias ERP = Alias.parse("vg:erp");
    private static final String CONFIG = "/v2/names/vg%3Aerp%3Amain/concerns/config";

    private Nameservice names;
    private OntologiaServer server;
    private Http http;

    @BeforeEach
    void start() {
        names = Nameservices.open("memory:");
        names.create(NewRecord.of(ERP, EntityType.JDBC));
        names.push(
                ERP,
                Concern.CONFIG,
                ConcernValue.unborn(),
                ConcernValue.of(1, Map.of("connection_string", "jdbc:x://u:hidden@h/d", "schema", "public")));
        server = OntologiaServer.start(
                names, ServerOptions.defaults().port(0).token(READER).token(WRITER));
        http = new Http(server.uri());
    }

    @AfterEach
    void stop() {
        server.close();
        names.close();
    }

    @Test
    void without_a_good_token_everything_is_refused() {
        HttpResponse<String> none = http.get("/v2/names");
        HttpResponse<String> wrong = http.get("/v2/names", "Authorization", "Bearer wrong-wrong-wrong");
        HttpResponse<String> basic = http.get("/v2/names", "Authorization", "Basic " + WRITER.secret());

        assertThat(none.statusCode()).isEqualTo(401);
        assertThat(none.headers().firstValue("WWW-Authenticate")).isPresent();
        assertThat(wrong.statusCode()).isEqualTo(401);
        assertThat(basic.statusCode()).isEqualTo(401);
        assertThat(Http.json(none).text("kind")).isEqualTo("unavailable");
        assertThat(wrong.body()).doesNotContain("wrong-wrong");
    }

    @Test
    void the_document_needs_no_token() {
        assertThat(http.get("/openapi.json").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"retract", "restore", "concerns/status"})
    void a_token_for_reading_changes_nothing(String action) {
        HttpResponse<String> reply = http.post("/v2/names/vg%3Aerp/" + action, "{}", bearer(READER));

        assertThat(reply.statusCode()).isEqualTo(403);
        assertThat(http.post("/v2/names", "{\"alias\":\"x\"}", bearer(READER)).statusCode())
                .isEqualTo(403);
        assertThat(http.send("DELETE", "/v2/names/vg%3Aerp", "", bearer(READER)).statusCode())
                .isEqualTo(403);
        assertThat(names.lookup(ERP).orElseThrow().isRetracted()).isFalse();
    }

    @Test
    void secrets_are_shown_to_writers_who_ask_for_them() {
        assertThat(http.get(CONFIG, bearer(READER)).body())
                .doesNotContain("hidden")
                .contains(Redaction.MARK);
        assertThat(http.get(CONFIG, bearer(WRITER)).body()).doesNotContain("hidden");
        assertThat(http.get("/v2/names/vg%3Aerp", bearer(WRITER)).body()).doesNotContain("hidden");
        assertThat(http.get("/v2/names", bearer(WRITER)).body()).doesNotContain("hidden");
        assertThat(http.get(CONFIG + "?secrets=shown", bearer(READER)).statusCode())
                .isEqualTo(403);
        assertThat(http.get("/v2/names?secrets=shown", bearer(READER)).statusCode())
                .isEqualTo(403);
        assertThat(http.get(CONFIG + "?secrets=shown", bearer(WRITER)).body()).contains("hidden");
        assertThat(http.get("/v2/names?secrets=shown", bearer(WRITER)).body()).contains("hidden");
    }

    @Test
    void outcomes_of_writes_hide_secrets_too() {
        String push = "{\"expected\":{\"v\":0,\"payload\":null},\"next\":{\"v\":5,\"payload\":{}}}";

        assertThat(http.post(CONFIG, push, bearer(WRITER)).body())
                .contains("conflict")
                .doesNotContain("hidden");
        assertThat(http.post("/v2/names", "{\"alias\":\"vg:erp\",\"type\":\"vg:jdbc\"}", bearer(WRITER))
                        .body())
                .contains("exists")
                .doesNotContain("hidden");
        assertThat(http.post("/v2/names/vg%3Aerp/retract", "{}", bearer(WRITER)).body())
                .contains("changed")
                .doesNotContain("hidden");
    }

    @Test
    void a_client_with_a_token_for_reading_says_so() {
        NameserviceOptions options = NameserviceOptions.defaults().setting("http.token", READER.secret());
        try (Nameservice plain = Nameservices.open(server.uri().toString(), options);
                Nameservice redacted =
                        Nameservices.open(server.uri().toString(), options.setting("http.secrets", "redacted"))) {

            assertThat(plain.concern(ERP, Concern.STATUS)).isPresent();
            assertThat(plain.list(NameQuery.all()).records()).hasSize(1);
            assertThatThrownBy(() -> plain.lookup(ERP)).isInstanceOf(OntologiaException.class);
            assertThat(redacted.lookup(ERP))
                    .contains(names.lookup(ERP).orElseThrow().redacted());
        }
    }

    @Test
    void a_client_without_its_token_is_refused_and_tells_no_secret() {
        try (Nameservice client = Nameservices.open(
                server.uri().toString(), NameserviceOptions.defaults().setting("http.token", "not-the-right-one"))) {

            assertThatThrownBy(() -> client.lookup(ERP)).isInstanceOfSatisfying(OntologiaException.class, e -> {
                assertThat(e.kind()).isEqualTo(ErrorKind.UNAVAILABLE);
                assertThat(e.getMessage()).doesNotContain("not-the-right-one");
            });
            assertThat(client.location()).isEqualTo(server.uri().toString());
        }
    }

    @Test
    void records_have_another_tag_for_each_view() {
        String whole = tag("?secrets=shown", WRITER);

        assertThat(tag("", WRITER)).isNotEqualTo(whole);
        assertThat(tag("", READER)).isNotEqualTo(whole).isNotEqualTo(tag("", WRITER));
    }

    private String tag(String query, AccessToken token) {
        return http.get("/v2/names/vg%3Aerp" + query, bearer(token))
                .headers()
                .firstValue("ETag")
                .orElseThrow();
    }

    @Test
    void without_tokens_a_server_shows_no_secrets_and_takes_no_changes() {
        try (OntologiaServer local =
                OntologiaServer.start(names, ServerOptions.defaults().port(0))) {
            Http plain = new Http(local.uri());

            assertThat(plain.get(CONFIG).body()).contains(Redaction.MARK).doesNotContain("hidden");
            assertThat(plain.get(CONFIG + "?secrets=shown").statusCode()).isEqualTo(403);
            assertThat(plain.get("/v2/names?secrets=shown").statusCode()).isEqualTo(403);
            assertThat(plain.post("/v2/names", "{\"alias\":\"x\"}").statusCode())
                    .isEqualTo(403);
            assertThat(plain.post("/v2/names/vg%3Aerp/retract", "{}").statusCode())
                    .isEqualTo(403);
        }
        assertThat(names.lookup(Alias.parse("x"))).isEmpty();
        assertThat(names.lookup(ERP).orElseThrow().isRetracted()).isFalse();
    }

    @Test
    void changes_without_a_token_are_an_option_and_secrets_are_not() {
        try (OntologiaServer local =
                OntologiaServer.start(names, ServerOptions.defaults().port(0).withoutTokens(Scope.WRITE))) {
            Http plain = new Http(local.uri());

            assertThat(plain.post("/v2/names", "{\"alias\":\"x\"}").statusCode())
                    .isEqualTo(201);
            assertThat(plain.get(CONFIG + "?secrets=shown").statusCode()).isEqualTo(403);
            assertThat(plain.post("/v2/names?secrets=shown", "{\"alias\":\"y\"}")
                            .statusCode())
                    .isEqualTo(403);
        }
        assertThat(names.lookup(Alias.parse("y"))).isEmpty();
    }

    @Test
    void an_address_that_others_reach_needs_tokens() {
        ServerOptions open = ServerOptions.defaults().address(new InetSocketAddress("0.0.0.0", 0));

        assertThatThrownBy(() -> OntologiaServer.start(names, open))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_INPUT));
    }

    @Test
    void without_tokens_only_this_machine_is_served_by_its_own_name() throws IOException {
        try (OntologiaServer local =
                OntologiaServer.start(names, ServerOptions.defaults().port(0))) {
            assertThat(new Http(local.uri()).get("/v2/names").statusCode()).isEqualTo(200);
            assertThat(statusFor(local, "Host: evil.example")).startsWith("HTTP/1.1 403");
            assertThat(statusFor(local, "Host: localhost:1")).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void tokens_do_not_show_in_texts() {
        assertThat(ServerOptions.defaults().token(WRITER).toString()).doesNotContain(WRITER.secret());
        assertThatThrownBy(() -> new AccessToken("short", Scope.READ))
                .isInstanceOf(OntologiaException.class)
                .hasMessageNotContaining("short ");
    }

    private static String statusFor(OntologiaServer local, String host) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), local.uri().getPort())) {
            socket.getOutputStream()
                    .write(("GET /v2/names HTTP/1.1\r\n" + host + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            return new String(in.readNBytes(12), StandardCharsets.US_ASCII);
        }
    }

    private static String[] bearer(AccessToken token) {
        return new String[] {"Authorization", "Bearer " + token.secret()};
    }
}
