package io.ontologia.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.kernel.Clock;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.ClaimOutcome;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.LockKind;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.Nameservices;
import io.ontologia.nameservice.NewRecord;
import io.ontologia.nameservice.SoftLocks;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients that may only read learn about the server and its writers. */
class ServerDisclosureIT {
    private static final AccessToken READER = new AccessToken("read-read-read-read", Scope.READ);
    private static final AccessToken WRITER = new AccessToken("write-write-write-write", Scope.WRITE);
    private static final Alias DB = Alias.parse("mydb");

    @TempDir
    private Path folder;

    private Nameservice names;
    private OntologiaServer server;
    private Http http;

    @BeforeEach
    void start() {
        names = Nameservices.open("file://" + folder + "?layout=b");
        names.create(NewRecord.ledger(DB));
        server = OntologiaServer.start(
                names,
                ServerOptions.defaults()
                        .port(0)
                        .poll(Duration.ofMillis(20))
                        .token(READER)
                        .token(WRITER));
        http = new Http(server.uri());
    }

    @AfterEach
    void stop() {
        server.close();
        names.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v2/names/mydb", "/v2/names/mydb/concerns/status", "/v2/names"})
    void a_status_has_no_secrets_for_readers(String path) {
        ConcernValue status = names.concern(DB, Concern.STATUS).orElseThrow();
        names.push(
                DB,
                Concern.STATUS,
                status,
                ConcernValue.of(
                        2,
                        Map.of(
                                "state",
                                "error",
                                "error",
                                "no connection to jdbc:x://u:hidden1@h/d",
                                "password",
                                "hidden2",
                                "api_token",
                                4711000047110000L,
                                "queue_depth",
                                3,
                                "source",
                                Map.of("user", "hidden3"))));

        String read = http.get(path, bearer(READER)).body();

        assertThat(read)
                .contains("\"state\":\"error\"", "\"queue_depth\":3")
                .doesNotContain("hidden", "4711000047110000");
        assertThat(http.get(path, bearer(WRITER)).body()).contains("hidden1", "hidden2", "hidden3", "4711000047110000");
    }

    @Test
    void tokens_of_locks_are_for_writers() {
        SoftLocks locks = new SoftLocks(names, Clock.system(), new SplittableRandom(1));
        ClaimOutcome.Claimed claimed =
                (ClaimOutcome.Claimed) locks.claim(DB, LockKind.INDEX, "indexer-1", 7, Duration.ofMinutes(1));
        String token = claimed.lock().holder().token();
        ConcernValue index = ConcernValue.of(1, Map.of(SoftLocks.FENCE, Map.of("token", token)));
        names.push(DB, Concern.INDEX, ConcernValue.unborn(), index);

        String record = http.get("/v2/names/mydb", bearer(READER)).body();
        String listed = http.get("/v2/names", bearer(READER)).body();
        String fence = http.get("/v2/names/mydb/concerns/index", bearer(READER)).body();

        assertThat(record).contains("indexer-1", "\"target_t\":7").doesNotContain(token);
        assertThat(listed).contains("indexer-1").doesNotContain(token);
        assertThat(fence).doesNotContain(token);
        assertThat(http.get("/v2/names/mydb", bearer(WRITER)).body()).contains(token);
        try (EventStream stream =
                new EventStream(URI.create(server.uri() + "/v2/watch"), "Authorization", "Bearer " + READER.secret())) {
            assertThat(stream.until("snapshot").toString())
                    .contains("indexer-1")
                    .doesNotContain(token);
        }
    }

    @Test
    void errors_do_not_name_places_on_the_servers_disk() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.writeString(file, "{");
            }
        }

        HttpResponse<String> looked = http.get("/v2/names/mydb", bearer(READER));
        HttpResponse<String> listed = http.get("/v2/names", bearer(READER));

        assertThat(looked.statusCode()).isEqualTo(500);
        assertThat(Http.json(looked).text("kind")).isEqualTo("corrupt");
        assertThat(looked.body()).doesNotContain(folder.toString());
        assertThat(listed.body()).contains("corrupt").doesNotContain(folder.toString());
        assertThat(http.get("/v2/names/mydb", bearer(WRITER)).body()).contains("mydb");
    }

    private static String[] bearer(AccessToken token) {
        return new String[] {"Authorization", "Bearer " + token.secret()};
    }
}
