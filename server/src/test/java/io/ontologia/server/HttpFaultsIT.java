package io.ontologia.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.CreateOutcome;
import io.ontologia.nameservice.LifecycleOutcome;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.NameserviceOptions;
import io.ontologia.nameservice.Nameservices;
import io.ontologia.nameservice.NewRecord;
import io.ontologia.nameservice.PurgeOutcome;
import io.ontologia.nameservice.PushOutcome;
import io.ontologia.server.LossyProxy.Loss;
import io.ontologia.testkit.SettableClock;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of calls whose requests or replies are lost on the way. */
class HttpFaultsIT {
    private static final Alias DB = Alias.parse("mydb");
    private static final ConcernValue FIRST = ConcernValue.of(1, Map.of("address", "first", "t", 1));
    private static final ConcernValue SECOND = ConcernValue.of(2, Map.of("address", "second", "t", 2));

    private Nameservice served;
    private OntologiaServer server;
    private LossyProxy network;
    private Nameservice client;

    @BeforeEach
    void start() throws IOException {
        served = Nameservices.open("memory:");
        served.create(NewRecord.ledger(DB));
        server = OntologiaServer.start(served, ServerOptions.defaults().port(0).token(ServedNames.WRITER));
        network = new LossyProxy(server.uri());
        client = Nameservices.open(
                network.uri().toString(),
                NameserviceOptions.defaults()
                        .setting("http.token", ServedNames.WRITER.secret())
                        .clock(new SettableClock()));
        client.lookup(DB);
    }

    @AfterEach
    void stop() {
        client.close();
        network.close();
        server.close();
        served.close();
    }

    @ParameterizedTest
    @EnumSource(Loss.class)
    void a_push_is_settled_whatever_was_lost(Loss loss) {
        network.lose(loss, loss);

        assertThat(client.push(DB, Concern.HEAD, ConcernValue.unborn(), FIRST))
                .isEqualTo(new PushOutcome.Updated(FIRST));
        assertThat(served.concern(DB, Concern.HEAD)).contains(FIRST);
    }

    @Test
    void a_push_that_landed_and_was_overtaken_is_known_to_have_landed() {
        network.lose(Loss.REPLY, Loss.REPLY, Loss.REPLY);

        PushOutcome outcome = client.push(DB, Concern.HEAD, ConcernValue.unborn(), FIRST);
        served.push(DB, Concern.HEAD, FIRST, SECOND);

        assertThat(outcome).isEqualTo(new PushOutcome.Updated(FIRST));
    }

    @Test
    void the_same_value_by_somebody_else_is_not_taken_for_ours() {
        served.push(DB, Concern.HEAD, ConcernValue.unborn(), FIRST);
        network.lose(Loss.REPLY);

        assertThat(client.push(DB, Concern.HEAD, ConcernValue.unborn(), FIRST))
                .isEqualTo(new PushOutcome.Conflict(FIRST));
    }

    @Test
    void without_any_reply_a_push_is_unknown_and_never_a_conflict() {
        network.lose(Loss.REPLY, Loss.REPLY, Loss.REPLY, Loss.REPLY, Loss.REPLY);

        assertThat(client.push(DB, Concern.HEAD, ConcernValue.unborn(), FIRST))
                .isInstanceOfSatisfying(
                        PushOutcome.Unknown.class,
                        unknown -> assertThat(unknown.reason().kind()).isEqualTo(ErrorKind.UNKNOWN_OUTCOME));
    }

    @Test
    void a_server_that_was_started_anew_does_not_do_it_twice() {
        try (OntologiaServer anew =
                OntologiaServer.start(served, ServerOptions.defaults().port(0).token(ServedNames.WRITER))) {
            network.lose(Loss.REPLY);
            network.afterLoss(anew.uri());

            assertThat(client.push(DB, Concern.HEAD, ConcernValue.unborn(), FIRST))
                    .isInstanceOf(PushOutcome.Unknown.class);
            assertThat(served.concern(DB, Concern.HEAD)).contains(FIRST);
        }
    }

    @Test
    void another_value_at_the_same_watermark_proves_that_a_push_was_refused() {
        served.push(DB, Concern.HEAD, ConcernValue.unborn(), ConcernValue.of(1, Map.of("address", "theirs", "t", 1)));
        network.lose(Loss.REPLY, Loss.REPLY, Loss.REPLY, Loss.REPLY, Loss.REPLY);

        assertThat(client.push(DB, Concern.HEAD, ConcernValue.unborn(), FIRST))
                .isEqualTo(new PushOutcome.Conflict(ConcernValue.of(1, Map.of("address", "theirs", "t", 1))));
    }

    @Test
    void a_config_that_landed_and_is_shown_redacted_is_not_taken_for_somebody_elses() {
        ConcernValue config = ConcernValue.of(1, Map.of("password", "hunter2"));
        try (Nameservice redacted = Nameservices.open(
                network.uri().toString(),
                NameserviceOptions.defaults()
                        .setting("http.token", ServedNames.WRITER.secret())
                        .clock(new SettableClock())
                        .setting(NameserviceOptions.HTTP_SECRETS, "redacted"))) {
            redacted.lookup(DB);
            network.lose(Loss.REPLY, Loss.REPLY, Loss.REPLY, Loss.REPLY, Loss.REPLY);

            assertThat(redacted.push(DB, Concern.CONFIG, ConcernValue.unborn(), config))
                    .isInstanceOf(PushOutcome.Unknown.class);
            assertThat(served.concern(DB, Concern.CONFIG)).contains(config);
        }
    }

    @Test
    void creations_retractions_restorations_and_purges_happen_once() {
        Alias alias = Alias.parse("new");

        network.lose(Loss.REPLY);
        assertThat(client.create(NewRecord.ledger(alias))).isInstanceOf(CreateOutcome.Created.class);
        network.lose(Loss.REPLY);
        assertThat(client.retract(alias, "x")).isInstanceOf(LifecycleOutcome.Changed.class);
        network.lose(Loss.REPLY);
        assertThat(client.restore(alias)).isInstanceOf(LifecycleOutcome.Changed.class);
        assertThat(served.watermarks(alias).orElseThrow().status()).isEqualTo(3);
        served.retract(alias, "");
        network.lose(Loss.REPLY);
        assertThat(client.purge(alias)).isEqualTo(new PurgeOutcome.Purged());
        assertThat(served.lookup(alias)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Loss.class)
    void reads_are_sent_again(Loss loss) {
        network.lose(loss, loss);

        assertThat(client.lookup(DB)).isEqualTo(served.lookup(DB));
    }

    @Test
    void a_server_that_is_gone_is_unavailable_and_nothing_was_changed() {
        network.close();

        assertThatThrownBy(() -> client.push(DB, Concern.HEAD, ConcernValue.unborn(), FIRST))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.UNAVAILABLE));
        assertThatThrownBy(() -> client.lookup(DB))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.UNAVAILABLE));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://user:secret@host",
                "http://host?token=secret",
                "http://host#secret",
                "http://",
                "https:// secret"
            })
    void a_url_that_holds_secrets_is_refused_without_repeating_it(String uri) {
        assertThatThrownBy(() -> Nameservices.open(uri))
                .isInstanceOf(OntologiaException.class)
                .hasMessageNotContaining("secret@")
                .hasMessageNotContaining("=secret")
                .hasMessageNotContaining("#secret");
    }
}
