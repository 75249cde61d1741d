package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.kernel.Clock;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.CreateOutcome;
import io.ontologia.nameservice.LifecycleOutcome;
import io.ontologia.nameservice.NameNotFoundException;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.NameRetractedException;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.NewRecord;
import io.ontologia.nameservice.PurgeOutcome;
import io.ontologia.nameservice.PushOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several clients that do the same or opposite things at once. */
public abstract class NameserviceRaceContract extends NameserviceSuite {
    private static final int RACERS = 4;
    private static final List<Concern> CONCERNS = List.of(Concern.values());
    private static final Alias DB = Alias.parse("mydb");

    /** Racers are real, so a client that backs off must really let the others go first. */
    @Override
    protected final Clock backendClock() {
        return Clock.system();
    }

    @ParameterizedTest
    @EnumSource(Concern.class)
    protected void one_push_per_base_value_is_accepted_and_the_losers_see_the_winner(Concern concern) {
        ConcernValue base = created("mydb").concern(concern);
        List<Nameservice> clients = clients();

        try (Racers racers = new Racers(RACERS)) {
            for (int round = 0; round < raceRounds(); round++) {
                ConcernValue expected = base;
                List<PushOutcome> outcomes = racers.race(n -> clients.get(n)
                        .push(DB, concern, expected, value(concern, expected.watermark() + 1, "by " + n)));

                List<ConcernValue> winners = updated(outcomes);
                assertThat(winners).hasSize(1);
                base = winners.get(0);
                assertThat(outcomes)
                        .filteredOn(outcome -> !(outcome instanceof PushOutcome.Updated))
                        .hasSize(RACERS - 1)
                        .containsOnly(new PushOutcome.Conflict(base));
            }
        }
        assertThat(names().concern(DB, concern)).contains(base);
    }

    @Test
    protected void writers_of_different_concerns_never_conflict() {
        NameRecord before = created("mydb");
        List<Nameservice> clients = clients();

        try (Racers racers = new Racers(RACERS)) {
            List<Long> reached = racers.race(n -> {
                Concern concern = CONCERNS.get(n);
                ConcernValue current = before.concern(concern);
                for (int i = 0; i < raceRounds(); i++) {
                    ConcernValue next = value(concern, current.watermark() + 1, "push " + i);
                    assertThat(clients.get(n).push(DB, concern, current, next))
                            .isEqualTo(new PushOutcome.Updated(next));
                    current = next;
                }
                return current.watermark();
            });

            NameRecord after = names().lookup(DB).orElseThrow();
            for (Concern concern : Concern.values()) {
                assertThat(after.concern(concern).watermark()).isEqualTo(reached.get(CONCERNS.indexOf(concern)));
            }
        }
    }

    @Test
    protected void counters_equal_the_number_of_accepted_pushes() {
        created("mydb");
        List<Nameservice> clients = clients();

        try (Racers racers = new Racers(RACERS)) {
            List<Integer> accepted = racers.race(n -> {
                ConcernValue current =
                        clients.get(n).concern(DB, Concern.CONFIG).orElseThrow();
                int mine = 0;
                for (int i = 0; i < raceRounds(); i++) {
                    ConcernValue next = value(Concern.CONFIG, current.watermark() + 1, n + " " + i);
                    PushOutcome outcome = clients.get(n).push(DB, Concern.CONFIG, current, next);
                    mine += outcome instanceof PushOutcome.Updated ? 1 : 0;
                    current = outcome instanceof PushOutcome.Conflict conflict ? conflict.actual() : next;
                }
                return mine;
            });

            assertThat(names().concern(DB, Concern.CONFIG).orElseThrow().watermark())
                    .isEqualTo(accepted.stream().mapToInt(Integer::intValue).sum());
        }
    }

    @Test
    protected void one_of_many_creations_succeeds() {
        List<Nameservice> clients = clients();

        try (Racers racers = new Racers(RACERS)) {
            for (int round = 0; round < raceRounds(); round++) {
                Alias alias = Alias.parse("db" + round);
                List<CreateOutcome> outcomes = racers.race(n -> clients.get(n).create(NewRecord.ledger(alias)));

                NameRecord there = names().lookup(alias).orElseThrow();
                assertThat(outcomes)
                        .filteredOn(outcome -> outcome instanceof CreateOutcome.Created)
                        .containsExactly(new CreateOutcome.Created(there));
                assertThat(outcomes)
                        .filteredOn(outcome -> !(outcome instanceof CreateOutcome.Created))
                        .hasSize(RACERS - 1)
                        .containsOnly(new CreateOutcome.Exists(there));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Concern.class)
    protected void a_push_that_races_with_a_retraction_lands_before_it_or_not_at_all(Concern concern) {
        List<Nameservice> clients = clients();

        try (Racers racers = new Racers(2)) {
            for (int round = 0; round < raceRounds(); round++) {
                Alias alias = Alias.parse("db" + round);
                created(alias.toString());
                pushed(alias.toString(), concern, value(concern, 2, "first"));
                List<Optional<ConcernValue>> seen = racers.race(n -> {
                    if (n == 0) {
                        assertThat(clients.get(0).retract(alias, "")).isInstanceOf(LifecycleOutcome.Changed.class);
                        return clients.get(0).concern(alias, concern);
                    }
                    return pushUntilRefused(clients.get(1), alias, concern);
                });

                NameRecord after = names().lookup(alias).orElseThrow();
                assertThat(after.isRetracted()).isTrue();
                assertThat(seen.get(0)).contains(after.concern(concern));
                if (concern != Concern.STATUS) {
                    assertThat(seen.get(1)).contains(after.concern(concern));
                }
            }
        }
    }

    @Test
    protected void purges_and_creations_that_race_leave_a_whole_record_or_none() {
        List<Nameservice> clients = clients();
        created("mydb");

        try (Racers racers = new Racers(RACERS)) {
            for (int round = 0; round < raceRounds(); round++) {
                pushed("mydb", Concern.HEAD, head(5));
                pushed("mydb", Concern.INDEX, value(Concern.INDEX, 5, "old"));
                names().retract(DB, "");
                List<Boolean> created =
                        racers.race(n -> n % 2 == 0 ? purged(clients.get(n)) : recreated(clients.get(n)));

                Optional<NameRecord> after = names().lookup(DB);
                assertThat(created.stream().filter(Boolean::booleanValue).count())
                        .isLessThanOrEqualTo(1);
                assertThat(after.isPresent()).isEqualTo(created.contains(true));
                NameRecord fresh = after.orElseGet(() -> created("mydb"));
                assertThat(fresh.watermarks()).isEqualTo(new io.ontologia.nameservice.Watermarks(0, 0, 1, 0));
                assertThat(fresh.isRetracted()).isFalse();
            }
        }
    }

    private static boolean purged(Nameservice client) {
        try {
            assertThat(client.purge(DB)).isInstanceOfAny(PurgeOutcome.Purged.class, PurgeOutcome.StillActive.class);
        } catch (NameNotFoundException e) {
            // The other one was faster.
        }
        return false;
    }

    private static boolean recreated(Nameservice client) {
        return client.create(NewRecord.ledger(DB)) instanceof CreateOutcome.Created;
    }

    private static Optional<ConcernValue> pushUntilRefused(Nameservice client, Alias alias, Concern concern) {
        ConcernValue current = client.concern(alias, concern).orElseThrow();
        try {
            while (true) {
                ConcernValue next = value(concern, current.watermark() + 1, "again");
                PushOutcome outcome = client.push(alias, concern, current, next);
                // A retraction moves the status itself.
                current = outcome instanceof PushOutcome.Conflict conflict ? conflict.actual() : next;
                // As a publisher does; one that never looks is one request a push, and a retraction of two never fits
                // in.
                assertThat(client.concern(alias, concern)).isPresent();
            }
        } catch (NameRetractedException e) {
            return Optional.of(current);
        }
    }

    private List<Nameservice> clients() {
        List<Nameservice> clients = new ArrayList<>();
        for (int i = 0; i < RACERS; i++) {
            clients.add(another());
        }
        return clients;
    }

    private static List<ConcernValue> updated(List<PushOutcome> outcomes) {
        return outcomes.stream()
                .filter(PushOutcome.Updated.class::isInstance)
                .map(outcome -> ((PushOutcome.Updated) outcome).value())
                .toList();
    }
}
