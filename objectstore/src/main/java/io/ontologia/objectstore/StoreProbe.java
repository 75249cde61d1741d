package io.ontologia.objectstore;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.RandomIds;
import io.ontologia.objectstore.StoreCapabilities.ConditionalDelete;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out, before anything is entrusted to a store, whether it keeps the conditions of conditional writes, one after the
 * other and in a race. Servers that speak S3 and ignore them, or check first and write later, are common.
 */
public final class StoreProbe {
    private static final Logger LOG = LoggerFactory.getLogger(StoreProbe.class);
    private static final int RACERS = 8;
    private static final int CREATE_ROUNDS = 8;
    private static final int REPLACE_ROUNDS = 20;
    private static final int DELETE_ROUNDS = 6;

    private final ObjectStore store;
    private final String folder;
    private final List<String> keys = new ArrayList<>();
    private final AtomicInteger payloads = new AtomicInteger();
    private final ExecutorService threads = Executors.newFixedThreadPool(RACERS, task -> {
        Thread thread = new Thread(task, "ontologia-store-probe");
        thread.setDaemon(true);
        return thread;
    });

    private StoreProbe(ObjectStore store, RandomGenerator random) {
        this.store = store;
        this.folder = "meta/probe/" + RandomIds.hex(random, 16) + "/";
    }

    /**
     * Writes, races for and removes some small objects under {@code meta/probe/<random>/}, with about 350 requests from 8
     * threads. Takes seconds on a distant store: ask once, when a store is set up. What could not be removed is logged.
     *
     * @return what the store can do beyond the necessary
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when the store does not keep the condition of a
     *     conditional PUT; whatever the store throws when it cannot be used at all. A store that fails only in rare races
     *     may pass.
     */
    public static StoreCapabilities check(ObjectStore store, RandomGenerator random) {
        StoreProbe probe = new StoreProbe(store, random);
        try {
            probe.checkCreate();
            probe.checkReplace();
            probe.raceToCreate();
            probe.raceToReplace();
            return new StoreCapabilities(probe.conditionalDelete());
        } finally {
            probe.threads.shutdown();
            probe.cleanUp();
        }
    }

    private void checkCreate() {
        String key = newKey();

        Try first = certain(create(key));
        Try second = certain(create(key));

        refuseUnless(first.won(), "it does not create an object with If-None-Match: *");
        refuseUnless(
                !second.won() && isStored(key, first),
                "it ignores If-None-Match on PUT, so one writer could overwrite what another created");
    }

    private void checkReplace() {
        String key = newKey();
        String missing = newKey();
        ETag version = store.put(key, newPayload());

        Try current = certain(replace(key, version));
        Try stale = certain(replace(key, version));
        Try absent = certain(replace(missing, version));

        refuseUnless(current.won(), "it refuses If-Match with the current ETag on PUT");
        refuseUnless(
                !stale.won()
                        && !absent.won()
                        && isStored(key, current)
                        && store.get(missing).isEmpty(),
                "it ignores If-Match on PUT, so one writer could overwrite what another wrote");
    }

    private void raceToCreate() {
        for (int i = 0; i < CREATE_ROUNDS; i++) {
            String key = newKey();
            refuseUnless(
                    oneWon(key, race(n -> create(key))),
                    "it enforces If-None-Match on PUT, but not when several writers come at once");
        }
    }

    private void raceToReplace() {
        for (int i = 0; i < REPLACE_ROUNDS; i++) {
            String key = newKey();
            ETag version = store.put(key, newPayload());
            refuseUnless(
                    oneWon(key, race(n -> replace(key, version))),
                    "it enforces If-Match on PUT, but not when several writers come at once");
        }
    }

    private ConditionalDelete conditionalDelete() {
        String key = newKey();
        ETag stale = store.put(key, newPayload());
        ETag current = store.put(key, newPayload());

        boolean enforced = delete(key, stale).outcome() == Outcome.REFUSED
                && store.get(key).isPresent()
                && delete(key, current).won()
                && store.get(key).isEmpty();
        for (int i = 0; enforced && i < DELETE_ROUNDS; i++) {
            String contested = newKey();
            ETag version = store.put(contested, newPayload());
            enforced =
                    oneWon(contested, race(n -> n % 2 == 0 ? delete(contested, version) : replace(contested, version)));
        }
        return enforced ? ConditionalDelete.ENFORCED : ConditionalDelete.IGNORED;
    }

    /**
     * Whether what the racers were told can be true: one put changed the object, or deletes removed it. Some servers call
     * every delete of an object that is gone a success, so all deletes count as one. Lost replies prove nothing.
     */
    private boolean oneWon(String key, List<Try> race) {
        List<Try> winners = new ArrayList<>();
        for (Try racer : race) {
            boolean alsoDeleted = racer.wanted().isEmpty()
                    && winners.stream().anyMatch(winner -> winner.wanted().isEmpty());
            if (racer.won() && !alsoDeleted) {
                winners.add(racer);
            }
        }
        boolean open = race.stream().anyMatch(racer -> racer.outcome() == Outcome.UNKNOWN);
        return winners.isEmpty() ? open : winners.size() == 1 && isStored(key, winners.get(0));
    }

    private boolean isStored(String key, Try winner) {
        Optional<byte[]> stored = store.get(key).map(StoredObject::bytes);
        return stored.isPresent() == winner.wanted().isPresent()
                && Arrays.equals(stored.orElse(null), winner.wanted().orElse(null));
    }

    private Try create(String key) {
        Payload.InMemory payload = newPayload();
        return new Try(Optional.of(payload.bytes()), Outcome.of(store.putIfAbsent(key, payload)));
    }

    private Try replace(String key, ETag expected) {
        Payload.InMemory payload = newPayload();
        return new Try(Optional.of(payload.bytes()), Outcome.of(store.putIfMatch(key, payload, expected)));
    }

    private Try delete(String key, ETag expected) {
        try {
            return new Try(Optional.empty(), Outcome.of(store.deleteIfMatch(key, expected)));
        } catch (OntologiaException e) {
            // Some servers do not know such a request. That is no reason to refuse them: we can do without it.
            return new Try(Optional.empty(), Outcome.UNKNOWN);
        }
    }

    private List<Try> race(IntFunction<Try> racer) {
        CyclicBarrier start = new CyclicBarrier(RACERS);
        List<Future<Try>> running = IntStream.range(0, RACERS)
                .mapToObj(n -> threads.submit(() -> {
                    start.await();
                    return racer.apply(n);
                }))
                .toList();
        List<Try> tries = new ArrayList<>();
        for (Future<Try> racing : running) {
            try {
                tries.add(racing.get());
            } catch (ExecutionException e) {
                throw e.getCause() instanceof OntologiaException known ? known : new CompletionException(e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new OntologiaException(
                        ErrorKind.CLOSED, "the probe stopped", "the thread was interrupted", "try again", e);
            }
        }
        return tries;
    }

    private Try certain(Try made) {
        if (made.outcome() == Outcome.UNKNOWN) {
            throw new OntologiaException(
                    ErrorKind.UNAVAILABLE,
                    "cannot probe the store " + store.location(),
                    "the reply to a write was lost",
                    "check the connection and try again");
        }
        return made;
    }

    private void refuseUnless(boolean fine, String cause) {
        if (!fine) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "cannot use the store " + store.location(),
                    cause,
                    "use a server that enforces conditional writes, for example AWS S3 or Ceph, or a file:/// folder");
        }
    }

    private String newKey() {
        String key = folder + keys.size();
        keys.add(key);
        return key;
    }

    private Payload.InMemory newPayload() {
        return (Payload.InMemory) Payload.of(folder + payloads.incrementAndGet());
    }

    private void cleanUp() {
        Map<String, String> left;
        try {
            left = store.deleteAll(keys);
        } catch (OntologiaException e) {
            left = Map.of(folder, e.getMessage());
        }
        if (!left.isEmpty()) {
            LOG.atWarn().addKeyValue("objects", left.keySet()).log("probe objects not removed");
        }
    }

    private enum Outcome {
        WON,
        REFUSED,
        UNKNOWN;

        static Outcome of(PutOutcome outcome) {
            return outcome instanceof PutOutcome.Written
                    ? WON
                    : outcome instanceof PutOutcome.Refused ? REFUSED : UNKNOWN;
        }

        static Outcome of(DeleteOutcome outcome) {
            return outcome instanceof DeleteOutcome.Deleted
                    ? WON
                    : outcome instanceof DeleteOutcome.Refused ? REFUSED : UNKNOWN;
        }
    }

    /** What one call wanted to leave behind (nothing, when it was a delete), and what the store said to it. */
    private record Try(Optional<byte[]> wanted, Outcome outcome) {
        boolean won() {
            return outcome == Outcome.WON;
        }
    }
}
