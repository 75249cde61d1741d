package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import io.ontologia.objectstore.StoredObject;
import io.ontologia.testkit.RegisterModel.CompareAndSet;
import io.ontologia.testkit.RegisterModel.Done;
import io.ontologia.testkit.RegisterModel.Mismatch;
import io.ontologia.testkit.RegisterModel.Read;
import io.ontologia.testkit.RegisterModel.Value;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Checks what clients are told against models of what an object is. */
class ObjectStoreSimulationIT {
    private static final String KEY = "register";

    private final LinearizabilityChecker<Optional<String>, RegisterModel.Call, RegisterModel.Reply> checker =
            new LinearizabilityChecker<>(new RegisterModel());

    @Test
    void an_object_behind_a_bad_network_is_a_linearizable_register() {
        Seeds.forEach("compare and set", 2000, random -> {
            Simulation simulation = new Simulation(random);

            History<RegisterModel.Call, RegisterModel.Reply> history =
                    simulate(simulation, simulation.scheduler.interleaved(simulation.server), random);

            checker.requireLinearizable(history.operations());
        });
    }

    @Test
    void a_store_that_checks_first_and_acts_later_is_found_out() {
        int found = 0;
        for (long seed = 0; seed < 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Simulation simulation = new Simulation(random);
            ObjectStore broken = new CheckThenActStore(simulation.scheduler.interleaved(simulation.server));

            History<RegisterModel.Call, RegisterModel.Reply> history = simulate(simulation, broken, random);

            found += checker.isLinearizable(history.operations()) ? 0 : 1;
        }

        assertThat(found).isGreaterThan(20);
    }

    private static History<RegisterModel.Call, RegisterModel.Reply> simulate(
            Simulation simulation, ObjectStore wire, RandomGenerator random) {
        History<RegisterModel.Call, RegisterModel.Reply> history = new History<>();
        double faults = random.nextDouble(0, 0.6);
        int actors = random.nextInt(2, 5);
        for (int a = 0; a < actors; a++) {
            simulation.spawn("actor " + a, faults, wire, (client, choices) -> {
                for (int i = 0; i < 4; i++) {
                    swap(client.store(), client.name(), client.name() + "/" + i, history);
                }
            });
        }
        simulation.run();
        read(simulation.server, "the test", history);
        return history;
    }

    private static void swap(
            ObjectStore store, String actor, String next, History<RegisterModel.Call, RegisterModel.Reply> history) {
        Optional<StoredObject> before;
        try {
            before = read(store, actor, history);
        } catch (OntologiaException unavailable) {
            return;
        }
        var call = history.begin(actor, new CompareAndSet(before.map(StoredObject::text), Optional.of(next)));
        try {
            PutOutcome outcome = putIfSame(store, before, next);
            if (outcome instanceof PutOutcome.Written) {
                call.replied(new Done());
            } else if (outcome instanceof PutOutcome.Refused) {
                call.replied(new Mismatch());
            }
        } catch (OntologiaException unavailable) {
            call.hadNoEffect();
        }
    }

    private static Optional<StoredObject> read(
            ObjectStore store, String actor, History<RegisterModel.Call, RegisterModel.Reply> history) {
        var call = history.begin(actor, new Read());
        try {
            Optional<StoredObject> object = store.get(KEY);
            call.replied(new Value(object.map(StoredObject::text)));
            return object;
        } catch (OntologiaException unavailable) {
            call.hadNoEffect();
            throw unavailable;
        }
    }

    private static PutOutcome putIfSame(ObjectStore store, Optional<StoredObject> before, String next) {
        return before.isPresent()
                ? store.putIfMatch(KEY, Payload.of(next), before.get().etag())
                : store.putIfAbsent(KEY, Payload.of(next));
    }

    @Test
    void an_object_that_is_replaced_by_itself_and_one_line_more_is_a_linearizable_log() {
        var logs = new LinearizabilityChecker<>(new LogModel());
        Seeds.forEach("append", 500, random -> {
            Simulation simulation = new Simulation(random);
            History<LogModel.Call, LogModel.Reply> history = new History<>();
            for (String name : List.of("a", "b", "c")) {
                simulation.spawn(name, 0.3, (client, choices) -> {
                    for (int i = 0; i < 3; i++) {
                        append(client.store(), name, name + i, history);
                    }
                });
            }

            simulation.run();

            var call = history.begin("the test", new LogModel.Read());
            call.replied(new LogModel.Entries(lines(simulation.server.get(KEY))));
            logs.requireLinearizable(history.operations());
        });
    }

    /** Repeats what was refused, which certainly did nothing, and nothing else. */
    private static void append(
            ObjectStore store, String actor, String entry, History<LogModel.Call, LogModel.Reply> history) {
        var call = history.begin(actor, new LogModel.Append(entry));
        try {
            PutOutcome outcome;
            List<String> lines;
            do {
                Optional<StoredObject> before = store.get(KEY);
                lines = lines(before);
                outcome =
                        putIfSame(store, before, before.map(StoredObject::text).orElse("") + entry + "\n");
            } while (outcome instanceof PutOutcome.Refused);
            if (outcome instanceof PutOutcome.Written) {
                call.replied(new LogModel.Appended(lines.size()));
            }
        } catch (OntologiaException unavailable) {
            call.hadNoEffect();
        }
    }

    private static List<String> lines(Optional<StoredObject> log) {
        return log.map(object -> object.text().lines().toList()).orElse(List.of());
    }

    /** The mistake that every conditional write exists to avoid. */
    private static final class CheckThenActStore extends ForwardingObjectStore {
        CheckThenActStore(ObjectStore target) {
            super(target);
        }

        @Override
        protected <T> T around(StoreOperation operation, Supplier<T> request) {
            return request.get();
        }

        @Override
        public PutOutcome putIfAbsent(String key, Payload payload) {
            return get(key).isPresent() ? new PutOutcome.Refused() : new PutOutcome.Written(target().put(key, payload));
        }

        @Override
        public PutOutcome putIfMatch(String key, Payload payload, ETag expected) {
            boolean matches =
                    get(key).map(StoredObject::etag).filter(expected::equals).isPresent();
            return matches ? new PutOutcome.Written(target().put(key, payload)) : new PutOutcome.Refused();
        }
    }
}
