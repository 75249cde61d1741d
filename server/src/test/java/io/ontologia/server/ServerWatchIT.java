package io.ontologia.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.EntityType;
import io.ontologia.nameservice.NameEvent;
import io.ontologia.nameservice.NameEvents;
import io.ontologia.nameservice.NameFilter;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.Nameservices;
import io.ontologia.nameservice.NewRecord;
import io.ontologia.nameservice.Subscriptions;
import io.ontologia.server.EventStream.Event;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Event streams. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ServerWatchIT {
    private static final Alias DB = Alias.parse("mydb");
    private static final AccessToken READER = new AccessToken("read-read-read-read", Scope.READ);

    private Nameservice memory;
    private Nameservice names;
    private OntologiaServer server;

    @BeforeEach
    void start() {
        memory = Nameservices.open("memory:");
        Subscriptions subscriptions = new Subscriptions(memory);
        names = subscriptions.observed();
        names.create(NewRecord.ledger(DB));
        names.create(NewRecord.of(Alias.parse("vg:search"), EntityType.BM25));
        server = OntologiaServer.start(
                subscriptions,
                ServerOptions.defaults()
                        .port(0)
                        .poll(Duration.ofMillis(20))
                        .limits(ServerLimits.defaults().watchers(3).heartbeat(Duration.ofMillis(20))));
    }

    @AfterEach
    void stop() {
        server.close();
        memory.close();
    }

    @Test
    void a_stream_tells_what_is_there_and_then_what_happens() {
        try (EventStream stream = watch("")) {
            List<String> before = List.of(
                    stream.next().json().text("pk"), stream.next().json().text("pk"));
            Event live = stream.next();
            push(1);
            Event moved = stream.next();
            names.create(NewRecord.ledger(Alias.parse("new")));
            Event created = stream.next();
            names.retract(DB, "");
            Event retracted = stream.next();
            names.purge(DB);
            Event purged = stream.next();

            assertThat(before).containsExactlyInAnyOrder("mydb:main", "vg:search:main");
            assertThat(live.name()).isEqualTo("live");
            assertThat(moved.name()).isEqualTo("moved");
            assertThat(moved.data())
                    .isEqualTo(
                            "{\"alias\":\"mydb:main\",\"concern\":\"head\",\"type\":\"ledger\",\"value\":{\"payload\":"
                                    + "{\"t\":1},\"v\":1}}");
            assertThat(created.name()).isEqualTo("created");
            assertThat(retracted.json().text("concern")).isEqualTo("status");
            assertThat(purged.name()).isEqualTo("purged");
        }
    }

    @Test
    void a_client_follows_several_records_and_concerns_by_the_stream() {
        Alias other = Alias.parse("other");
        names.create(NewRecord.ledger(other));
        NameFilter filter = NameFilter.all().aliases(Set.of(DB, other)).concerns(Set.of(Concern.HEAD, Concern.INDEX));

        try (Nameservice client = Nameservices.open(server.uri().toString());
                NameEvents events = client.events(filter).orElseThrow()) {
            assertThat(List.of(next(events), next(events)))
                    .containsExactlyInAnyOrder(
                            new NameEvent.Snapshot(names.lookup(DB).orElseThrow()),
                            new NameEvent.Snapshot(names.lookup(other).orElseThrow()));
            assertThat(next(events)).isEqualTo(new NameEvent.Live());
            ConcernValue index = ConcernValue.of(1, Map.of("n", 1));
            names.push(DB, Concern.CONFIG, ConcernValue.unborn(), index);
            names.push(other, Concern.INDEX, ConcernValue.unborn(), index);
            assertThat(next(events)).isEqualTo(new NameEvent.Moved(other, EntityType.LEDGER, Concern.INDEX, index));
            push(1);
            assertThat(next(events)).isInstanceOf(NameEvent.Moved.class);
        }
    }

    private static NameEvent next(NameEvents events) {
        return events.next(Duration.ofMinutes(1)).orElseThrow();
    }

    @Test
    void a_stream_tells_only_what_was_asked_for() {
        try (EventStream stream = watch("?alias=mydb&concern=config&type=ledger")) {
            stream.until("live");
            push(1);
            names.push(DB, Concern.CONFIG, ConcernValue.unborn(), ConcernValue.of(1, Map.of("token", "hidden")));

            Event moved = stream.next();

            assertThat(moved.json().text("concern")).isEqualTo("config");
            assertThat(moved.data()).doesNotContain("hidden");
        }
    }

    @Test
    void who_comes_back_goes_on_behind_the_last_event_without_gap_or_repetition() {
        Event last;
        try (EventStream stream = watch("")) {
            stream.until("live");
            push(1);
            push(2);
            last = stream.next();
        }
        push(3);

        List<Long> watermarks = new ArrayList<>();
        try (EventStream stream = watch("", "Last-Event-ID", last.id())) {
            push(4);
            for (int i = 0; i < 3; i++) {
                Event event = stream.next();
                assertThat(event.name()).isEqualTo("moved");
                watermarks.add(event.json().object("value").integer("v"));
            }
        }

        assertThat(watermarks).containsExactly(2L, 3L, 4L);
    }

    @Test
    void two_connections_of_one_watcher_do_not_share_its_events() {
        try (EventStream first = watch("")) {
            Event live = first.until("live");
            try (EventStream second = watch("", "Last-Event-ID", live.id())) {
                push(1);
                assertThat(second.next().json().object("value").integer("v")).isEqualTo(1);
                push(2);
                assertThat(second.next().json().object("value").integer("v")).isEqualTo(2);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"what is this", "0123456789abcdef01234567.7", "0123456789abcdef01234567.999999999999999999"})
    void who_comes_back_too_late_starts_over(String id) {
        try (EventStream stream = watch("", "Last-Event-ID", id)) {
            assertThat(stream.next().name()).isEqualTo("resync");
            assertThat(stream.next().name()).isEqualTo("snapshot");
            stream.until("live");
        }
    }

    @Test
    void who_comes_back_with_another_question_starts_over() {
        Event live;
        try (EventStream stream = watch("")) {
            live = stream.until("live");
        }

        try (EventStream stream = watch("?alias=mydb", "Last-Event-ID", live.id())) {
            assertThat(stream.next().name()).isEqualTo("resync");
        }
    }

    @Test
    void a_slow_reader_is_told_to_start_over() {
        String large = "x".repeat(30_000);
        try (EventStream stream = watch("?alias=mydb")) {
            stream.until("live");
            ConcernValue current = ConcernValue.unborn();
            for (int i = 1; i <= 3000; i++) {
                ConcernValue next = ConcernValue.of(i, Map.of("t", i, "address", large));
                names.push(DB, Concern.HEAD, current, next);
                current = next;
            }

            stream.until("resync");
            Event snapshot = stream.next();

            assertThat(snapshot.name()).isEqualTo("snapshot");
            long told = snapshot.json().integer("head_v");
            while (told < 3000) {
                Event event = stream.next();
                told = switch (event.name()) {
                    case "moved" -> event.json().object("value").integer("v");
                    case "snapshot" -> event.json().integer("head_v");
                    default -> told;
                };
            }
            assertThat(told).isEqualTo(3000);
        }
    }

    @Test
    void a_quiet_stream_shows_that_it_lives() {
        try (EventStream stream = watch("?alias=nobody")) {
            stream.until("live");

            assertThat(stream.heartbeat()).isTrue();
            assertThat(stream.heartbeat()).isTrue();
        }
    }

    @Test
    void what_others_wrote_is_found() {
        try (EventStream stream = watch("")) {
            stream.until("live");
            memory.push(DB, Concern.HEAD, ConcernValue.unborn(), ConcernValue.of(9, Map.of("t", 9)));

            assertThat(stream.next().json().object("value").integer("v")).isEqualTo(9);
        }
    }

    @Test
    void watchers_over_the_limit_are_told_to_come_back_and_requests_are_served() {
        try (EventStream first = watch("");
                EventStream second = watch("");
                EventStream third = watch("")) {
            Http http = new Http(server.uri());

            assertThat(http.get("/v2/watch").statusCode()).isEqualTo(429);
            assertThat(http.get("/v2/names").statusCode()).isEqualTo(200);
            List.of(first, second, third).forEach(stream -> stream.until("live"));
        }
    }

    @Test
    void stopping_the_server_ends_streams() {
        try (EventStream stream = watch("")) {
            stream.until("live");
            server.close();

            assertThat(stream.next().name()).isEmpty();
        }
    }

    @Test
    void a_token_for_reading_is_enough_and_none_is_not() {
        try (OntologiaServer guarded =
                OntologiaServer.start(memory, ServerOptions.defaults().port(0).token(READER))) {
            assertThat(new Http(guarded.uri()).get("/v2/watch").statusCode()).isEqualTo(401);
            try (EventStream stream =
                    new EventStream(guarded.uri().resolve("/v2/watch"), "Authorization", "Bearer " + READER.secret())) {
                stream.until("live");
            }
        }
    }

    @Test
    void a_question_that_makes_no_sense_is_refused() {
        Http http = new Http(server.uri());

        assertThat(http.get("/v2/watch?concern=other").statusCode()).isEqualTo(400);
        assertThat(http.get("/v2/watch?alias=a%3Ab%3Ac").statusCode()).isEqualTo(400);
        assertThat(http.get("/v2/watch?name=mydb").statusCode()).isEqualTo(400);
    }

    private EventStream watch(String query, String... headers) {
        return new EventStream(URI.create(server.uri() + "/v2/watch" + query), headers);
    }

    private void push(long t) {
        ConcernValue current = names.concern(DB, Concern.HEAD).orElseThrow();
        names.push(DB, Concern.HEAD, current, ConcernValue.of(t, Map.of("t", t)));
    }
}
