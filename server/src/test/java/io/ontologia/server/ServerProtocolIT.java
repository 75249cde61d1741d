package io.ontologia.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.Nameservices;
import io.ontologia.nameservice.NewRecord;
import io.ontologia.nameservice.Watermarks;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Statuses, bodies, tags and limits. */
class ServerProtocolIT {
    private static final Alias DB = Alias.parse("mydb");
    private static final String HEAD = "/v2/names/mydb/concerns/head";
    private static final String PUSH =
            "{\"expected\":{\"v\":0,\"payload\":null},\"next\":{\"v\":1,\"payload\":{\"address\":\"a\",\"t\":1}}}";

    private Nameservice names;
    private OntologiaServer server;
    private Http http;

    @BeforeEach
    void start() {
        names = Nameservices.open("memory:");
        names.create(NewRecord.ledger(DB));
        server = OntologiaServer.start(
                names,
                ServerOptions.defaults()
                        .port(0)
                        .withoutTokens(Scope.WRITE)
                        .limits(ServerLimits.defaults().bodyBytes(2000)));
        http = new Http(server.uri());
    }

    @AfterEach
    void stop() {
        server.close();
        names.close();
    }

    @Test
    void a_push_is_200_and_a_conflict_409_with_what_is_there() {
        HttpResponse<String> updated = http.post(HEAD, PUSH);
        HttpResponse<String> conflict = http.post(HEAD, PUSH);

        assertThat(updated.statusCode()).isEqualTo(200);
        assertThat(updated.body())
                .isEqualTo("{\"outcome\":\"updated\",\"value\":{\"payload\":{\"address\":\"a\",\"t\":1},\"v\":1}}");
        assertThat(conflict.statusCode()).isEqualTo(409);
        assertThat(conflict.body())
                .isEqualTo("{\"actual\":{\"payload\":{\"address\":\"a\",\"t\":1},\"record\":\""
                        + names.lookup(DB).orElseThrow().identity().orElseThrow()
                        + "\",\"v\":1},\"outcome\":\"conflict\"}");
    }

    @Test
    void a_creation_is_201_and_a_taken_name_409() {
        assertThat(http.post("/v2/names", "{\"alias\":\"new\"}").statusCode()).isEqualTo(201);
        assertThat(http.post("/v2/names", "{\"alias\":\"new\"}").statusCode()).isEqualTo(409);
    }

    @Test
    void errors_have_the_status_of_their_kind() {
        names.create(NewRecord.ledger(Alias.parse("gone")));
        names.retract(Alias.parse("gone"), "");

        HttpResponse<String> missing = http.get("/v2/names/ghost");
        HttpResponse<String> retracted = http.post("/v2/names/gone/concerns/head", PUSH);
        HttpResponse<String> invalid = http.post(HEAD, PUSH.replace("\"v\":1", "\"v\":0"));

        assertThat(missing.statusCode()).isEqualTo(404);
        assertThat(Http.json(missing).fields()).containsKeys("kind", "problem", "cause", "remedy");
        assertThat(retracted.statusCode()).isEqualTo(409);
        assertThat(Http.json(retracted).object("details").text("reason")).isEqualTo("retracted");
        assertThat(invalid.statusCode()).isEqualTo(400);
        assertThat(Http.json(invalid).text("kind")).isEqualTo("invalid_input");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v2/names/mydb", "/v2/names/mydb/watermarks", HEAD})
    void the_tag_of_a_purged_record_does_not_match_its_successor(String path) {
        String tag = http.get(path).headers().firstValue("ETag").orElseThrow();
        NameRecord before = names.lookup(DB).orElseThrow();

        names.retract(DB, "");
        names.purge(DB);
        names.create(NewRecord.ledger(DB).createdAt(before.createdAt()));

        assertThat(names.lookup(DB)).contains(before);
        assertThat(http.get(path, "If-None-Match", tag).statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v2/names/mydb", "/v2/names/mydb/watermarks", HEAD})
    void what_the_client_has_is_not_sent_again_until_a_watermark_moves(String path) {
        HttpResponse<String> first = http.get(path);
        String tag = first.headers().firstValue("ETag").orElseThrow();

        HttpResponse<String> same = http.get(path, "If-None-Match", "\"other\", W/" + tag);
        names.push(DB, Concern.HEAD, ConcernValue.unborn(), ConcernValue.of(1, Map.of("t", 1)));
        HttpResponse<String> moved = http.get(path, "If-None-Match", tag);

        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(same.statusCode()).isEqualTo(304);
        assertThat(same.body()).isEmpty();
        assertThat(moved.statusCode()).isEqualTo(200);
        assertThat(moved.headers().firstValue("ETag"))
                .isPresent()
                .isNotEqualTo(first.headers().firstValue("ETag"));
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /, 404",
        "GET, /v2, 404",
        "GET, /v2/names/mydb/concerns, 404",
        "GET, /v2/names/mydb/concerns/other, 400",
        "GET, /v2/names/a%3Ab%3Ac, 400",
        "GET, /v2/names/%FF, 400",
        "GET, /v2/names?limit=0, 400",
        "GET, /v2/names?limit=x, 400",
        "GET, /v2/names?typ=ledger, 400",
        "GET, /v2/names?type=a&type=b, 400",
        "GET, /v2/names?after=%01, 400",
        "GET, /v2/names/mydb?secrets=maybe, 400",
        "PUT, /v2/names/mydb, 405",
        "DELETE, /v2/names, 405"
    })
    void what_is_not_there_or_malformed_is_refused_as_such(String method, String path, int status) {
        HttpResponse<String> reply = http.send(method, path, "");

        assertThat(reply.statusCode()).isEqualTo(status);
        assertThat(Http.json(reply).fields()).containsKeys("kind", "problem", "cause", "remedy");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{",
                "{}",
                "{\"expected\":1,\"next\":2}",
                "{\"expected\":{\"v\":0},\"next\":{\"v\":-1}}"
            })
    void a_body_that_does_not_fit_is_the_senders_fault(String body) {
        HttpResponse<String> reply = http.post(HEAD, body, "Content-Type", "application/json");

        assertThat(reply.statusCode()).isEqualTo(400);
        assertThat(Http.json(reply).text("kind")).isEqualTo("invalid_input");
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/x-www-form-urlencoded", "application/jsonx"})
    void a_form_of_a_web_page_cannot_change_anything(String type) {
        assertThat(http.post("/v2/names/mydb/restore", "{}", "Content-Type", type)
                        .statusCode())
                .isEqualTo(415);
        assertThat(http.post("/v2/names/mydb/retract", "{}", "Content-Type", type)
                        .statusCode())
                .isEqualTo(415);
    }

    @Test
    void what_is_too_large_is_refused() {
        String large = PUSH.replace("\"a\"", "\"" + "a".repeat(3000) + "\"");

        assertThat(http.post(HEAD, large).statusCode()).isEqualTo(413);
        assertThat(http.get("/v2/names?prefix=" + "a".repeat(17_000)).statusCode())
                .isEqualTo(414);
        assertThat(http.get("/v2/names", "X-Large", "a".repeat(17_000)).statusCode())
                .isEqualTo(431);
        assertThat(names.concern(DB, Concern.HEAD)).contains(ConcernValue.unborn());
    }

    @Test
    void a_write_that_is_sent_twice_is_done_once() {
        HttpResponse<String> first = http.post(HEAD, PUSH, "Ontologia-Attempt", "one");
        HttpResponse<String> again = http.post(HEAD, PUSH, "Ontologia-Attempt", "one");
        HttpResponse<String> other = http.post(HEAD, PUSH, "Ontologia-Attempt", "two");
        HttpResponse<String> elsewhere =
                http.post(HEAD, PUSH, "Ontologia-Attempt", "three", "Ontologia-Resent-To", "another-server");

        assertThat(again.body()).isEqualTo(first.body());
        assertThat(again.statusCode()).isEqualTo(200);
        assertThat(other.statusCode()).isEqualTo(409);
        assertThat(elsewhere.statusCode()).isEqualTo(504);
    }

    @ParameterizedTest
    @CsvSource({
        "/v2/names/mydb/concerns/head, '{\"expected\":{\"v\":0,\"payload\":null},\"next\":{\"v\":2,\"payload\":{}}}'",
        "/v2/names/mydb/concerns/config, '{\"expected\":{\"v\":0,\"payload\":null},\"next\":{\"v\":2,\"payload\":{}}}'",
        "/v2/names, '{\"alias\":\"other\"}'"
    })
    void an_attempt_is_bound_to_its_request(String path, String body) {
        http.post(HEAD, PUSH, "Ontologia-Attempt", "one");

        HttpResponse<String> other = http.post(path, body, "Ontologia-Attempt", "one");

        assertThat(other.statusCode()).isEqualTo(422);
        assertThat(Http.json(other).text("kind")).isEqualTo("invalid_input");
        assertThat(names.watermarks(DB)).contains(new Watermarks(1, 0, 1, 0));
        assertThat(names.lookup(Alias.parse("other"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"head, 9223372036854775807", "index, 9223372036854775807", "config, 4398046511105"})
    void a_watermark_cannot_jump_to_the_end(String concern, long watermark) {
        HttpResponse<String> reply = http.post(
                "/v2/names/mydb/concerns/" + concern,
                "{\"expected\":{\"v\":0,\"payload\":null},\"next\":{\"v\":" + watermark + ",\"payload\":{}}}");

        assertThat(reply.statusCode()).isEqualTo(400);
        assertThat(names.watermarks(DB)).contains(new Watermarks(0, 0, 1, 0));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host: 127.0.0.1\r\nHost: 127.0.0.1\r\n",
                "Host: 127.0.0.1\r\nHost: evil.example\r\n",
                "X-None: 1\r\n"
            })
    void a_request_has_one_host(String headers) throws IOException {
        assertThat(status("GET /v2/names HTTP/1.1\r\n" + headers + "Connection: close\r\n\r\n"))
                .isEqualTo("HTTP/1.1 400");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"zz\r\n{}\r\n0\r\n\r\n", "-2\r\n{}\r\n0\r\n\r\n", "FFFFFFFFFFFFFFFFF\r\n{}", "5;\r\n{}\r\n"})
    void chunks_that_are_malformed_are_the_senders_fault(String chunks) throws IOException {
        assertThat(status(
                        "POST /v2/names/mydb/retract HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                                + "Transfer-Encoding: chunked\r\n\r\n" + chunks))
                .isEqualTo("HTTP/1.1 400");
        assertThat(names.lookup(DB).orElseThrow().isRetracted()).isFalse();
    }

    private String status(String request) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), server.uri().getPort())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
        }
    }

    @Test
    void a_port_that_is_taken_is_named() {
        ServerOptions same = ServerOptions.defaults().port(server.uri().getPort());

        assertThatThrownBy(() -> OntologiaServer.start(names, same))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.UNAVAILABLE));
    }

    @Test
    void closing_twice_is_fine_and_nobody_is_served_afterwards() {
        server.close();
        server.close();

        assertThatThrownBy(() -> http.get("/v2/names")).hasMessage("no reply");
    }
}
