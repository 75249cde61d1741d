package io.ontologia.nameservice;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Retry;
import io.ontologia.kernel.RetryPolicy;
import io.ontologia.nameservice.RecordModel.Call;
import io.ontologia.nameservice.RecordModel.Reply;
import io.ontologia.nameservice.internal.object.ObjectNameservice;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.testkit.Fault;
import io.ontologia.testkit.FaultPlan;
import io.ontologia.testkit.FaultyObjectStore;
import io.ontologia.testkit.History;
import io.ontologia.testkit.LinearizabilityChecker;
import io.ontologia.testkit.SeededScheduler;
import io.ontologia.testkit.Seeds;
import io.ontologia.testkit.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Clients push, read, retract, restore, purge and create one record at once, in an order that a seed decides, while replies get
 * lost and requests arrive late or fail. Each concern, together with the record's coming and going, is linearizable.
 *
 * <p>{@code -Dontologia.simulation.runs=5000} makes it long.
 */
class NameserviceSimulationIT {
    private static final Alias DB = Alias.parse("mydb");
    private static final List<Fault> FAULTS = List.of(
            new Fault.FailBefore(),
            new Fault.Conflict(),
            new Fault.LoseRequest(),
            new Fault.LoseReply(),
            new Fault.LandLate(2),
            new Fault.Delay(Duration.ofSeconds(3)));

    @Test
    void each_concern_is_linearizable_whatever_goes_wrong() {
        Seeds.forEach("clients of one record", Integer.getInteger("ontologia.simulation.runs", 60), Run::new);
    }

    /** One simulation. */
    private static final class Run {
        private final RandomGenerator random;
        private final SeededScheduler scheduler;
        private final ObjectStore server = ObjectStores.open("memory:", new SettableClock());
        private final Map<Concern, History<Call, Reply>> histories = new EnumMap<>(Concern.class);
        private final List<FaultyObjectStore> clients = new ArrayList<>();
        private final Layout layout;
        private final boolean purges;

        Run(RandomGenerator random) {
            this.random = random;
            this.scheduler = new SeededScheduler(random).pauses(0.02, Duration.ofSeconds(10));
            this.layout = List.of(Layout.values()).get(random.nextInt(3));
            for (Concern concern : Concern.values()) {
                histories.put(concern, new History<>());
            }
            double faults = random.nextBoolean() ? 0 : 0.08;
            // A late creation that lands after a purge is a creation: stores promise no better.
            this.purges = faults == 0;
            on(server, new SettableClock()).create(NewRecord.ledger(DB));
            int actors = 2 + random.nextInt(3);
            for (int i = 0; i < actors; i++) {
                int calls = 3 + random.nextInt(6);
                scheduler.spawn("c" + i, self -> act(self, client(self, faults), calls));
            }
            scheduler.run();
            verify();
        }

        private Nameservice on(ObjectStore store, io.ontologia.kernel.Clock clock) {
            return new ObjectNameservice(store, layout, clock, new SplittableRandom(random.nextLong()), Runnable::run);
        }

        private Nameservice client(SeededScheduler.Actor self, double faults) {
            FaultyObjectStore client = new FaultyObjectStore(
                    scheduler.interleaved(server),
                    FaultPlan.random(random, faults, FAULTS),
                    self.clock(),
                    new Retry(
                            new RetryPolicy(
                                    1 + random.nextInt(3),
                                    Duration.ofMillis(50),
                                    Duration.ofSeconds(1),
                                    Duration.ofMinutes(1)),
                            self.clock(),
                            random));
            clients.add(client);
            return on(client, self.clock());
        }

        private void act(SeededScheduler.Actor self, Nameservice names, int calls) {
            Map<Concern, ConcernValue> known = new EnumMap<>(Concern.class);
            for (int i = 0; i < calls; i++) {
                Concern concern = List.of(Concern.values()).get(random.nextInt(random.nextBoolean() ? 2 : 4));
                int dice = random.nextInt(20);
                if (dice < 11) {
                    push(self, names, concern, known, i);
                } else if (dice < 15) {
                    read(self, names, concern, known);
                } else if (dice < 17) {
                    lifecycle(self, new RecordModel.Retract(), () -> names.retract(DB, ""));
                } else if (dice < 19) {
                    lifecycle(self, new RecordModel.Restore(), () -> names.restore(DB));
                } else if (purges && random.nextBoolean()) {
                    purge(self, names);
                } else if (purges) {
                    create(self, names);
                }
            }
        }

        private void push(
                SeededScheduler.Actor self,
                Nameservice names,
                Concern concern,
                Map<Concern, ConcernValue> known,
                int i) {
            ConcernValue expected = known.getOrDefault(
                    concern,
                    concern == Concern.STATUS ? ConcernValue.of(1, Map.of("state", "ready")) : ConcernValue.unborn());
            // Half of them push what others push as well: equal values by different hands.
            String by = random.nextBoolean() ? "anybody" : self.name() + "-" + i;
            ConcernValue next = expected.next(ConcernPayload.of(Map.of("state", "ready", "by", by)));
            History<Call, Reply>.Call call =
                    history(concern).begin(self.name(), new RecordModel.Push(text(expected), text(next)));
            try {
                PushOutcome outcome = names.push(DB, concern, expected, next);
                if (outcome instanceof PushOutcome.Updated) {
                    known.put(concern, next);
                    call.replied(new RecordModel.Updated());
                } else if (outcome instanceof PushOutcome.Conflict conflict) {
                    known.put(concern, conflict.actual());
                    call.replied(new RecordModel.Conflict(text(conflict.actual())));
                }
            } catch (NameRetractedException e) {
                call.replied(new RecordModel.Retracted());
            } catch (NameNotFoundException e) {
                call.replied(new RecordModel.NotFound());
            } catch (OntologiaException e) {
                noEffect(e, List.of(call));
            }
        }

        private void read(
                SeededScheduler.Actor self, Nameservice names, Concern concern, Map<Concern, ConcernValue> known) {
            History<Call, Reply>.Call call = history(concern).begin(self.name(), new RecordModel.Read());
            try {
                Optional<ConcernValue> value = random.nextBoolean()
                        ? names.concern(DB, concern)
                        : names.lookup(DB).map(record -> record.concern(concern));
                value.ifPresent(v -> known.put(concern, v));
                call.replied(new RecordModel.Value(value.map(Run::text)));
            } catch (OntologiaException e) {
                call.hadNoEffect();
            }
        }

        /** Every history gets the call: a record comes and goes for all its concerns. */
        private void lifecycle(
                SeededScheduler.Actor self, Call what, java.util.function.Supplier<LifecycleOutcome> change) {
            List<History<Call, Reply>.Call> calls = beginAll(self, what);
            try {
                LifecycleOutcome outcome = change.get();
                if (!(outcome instanceof LifecycleOutcome.Unknown)) {
                    calls.forEach(
                            call -> call.replied(new RecordModel.Done(outcome instanceof LifecycleOutcome.Changed)));
                }
            } catch (NameNotFoundException e) {
                calls.forEach(call -> call.replied(new RecordModel.NotFound()));
            } catch (OntologiaException e) {
                noEffect(e, calls);
            }
        }

        private void purge(SeededScheduler.Actor self, Nameservice names) {
            List<History<Call, Reply>.Call> calls = beginAll(self, new RecordModel.Purge());
            try {
                PurgeOutcome outcome = names.purge(DB);
                calls.forEach(call -> call.replied(new RecordModel.Done(outcome instanceof PurgeOutcome.Purged)));
            } catch (NameNotFoundException e) {
                calls.forEach(call -> call.replied(new RecordModel.Done(true)));
            }
        }

        private void create(SeededScheduler.Actor self, Nameservice names) {
            List<History<Call, Reply>.Call> calls = beginAll(self, new RecordModel.Create());
            CreateOutcome outcome = names.create(NewRecord.ledger(DB));
            calls.forEach(call -> call.replied(new RecordModel.Done(outcome instanceof CreateOutcome.Created)));
        }

        private List<History<Call, Reply>.Call> beginAll(SeededScheduler.Actor self, Call what) {
            List<History<Call, Reply>.Call> calls = new ArrayList<>();
            histories.values().forEach(history -> calls.add(history.begin(self.name(), what)));
            return calls;
        }

        private static void noEffect(OntologiaException e, List<History<Call, Reply>.Call> calls) {
            if (e.kind() == ErrorKind.UNAVAILABLE || e.kind() == ErrorKind.BUSY) {
                calls.forEach(History.Call::hadNoEffect);
            } else {
                throw e;
            }
        }

        private void verify() {
            clients.forEach(FaultyObjectStore::deliverLateRequests);
            Nameservice reader = on(server, new SettableClock());
            for (Concern concern : Concern.values()) {
                History<Call, Reply> history = history(concern);
                Optional<String> last = reader.lookup(DB).map(record -> text(record.concern(concern)));
                history.begin("reader", new RecordModel.Read()).replied(new RecordModel.Value(last));
                new LinearizabilityChecker<>(new RecordModel(concern)).requireLinearizable(history.operations());
            }
            assertThat(reader.list(NameQuery.all()).unreadable()).isEmpty();
        }

        private History<Call, Reply> history(Concern concern) {
            return Objects.requireNonNull(histories.get(concern));
        }

        private static String text(ConcernValue value) {
            return value.watermark() + " "
                    + value.payload()
                            .map(payload -> payload.text("state").orElse("") + " "
                                    + payload.text("by").orElse(""))
                            .orElse("");
        }
    }
}
