package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.DeleteOutcome;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import io.ontologia.objectstore.StoredObject;
import io.ontologia.testkit.RecordingObjectStore.Change;
import io.ontologia.testkit.RecordingObjectStore.Removed;
import io.ontologia.testkit.RecordingObjectStore.Stored;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Compares what clients are told of their conditional writes with what the server really did. */
class LostReplyIT {
    private static final int RUNS = 10_000;

    /** How often each outcome occurred, to see that the runs are not all alike. */
    private final Map<String, Integer> outcomes = new TreeMap<>();

    @Test
    void no_outcome_is_wrong_whatever_gets_lost() {
        Seeds.forEach("lost replies", RUNS, this::checkOneRun);

        System.out.println("lost replies: " + outcomes);
        if (outcomes.values().stream().mapToInt(Integer::intValue).sum() > RUNS) {
            assertThat(outcomes)
                    .containsKeys(
                            "PUT_IF_ABSENT Written",
                            "PUT_IF_ABSENT Written, reply lost",
                            "PUT_IF_ABSENT Refused",
                            "PUT_IF_ABSENT Unknown, reply lost",
                            "PUT_IF_MATCH Written",
                            "PUT_IF_MATCH Written, reply lost",
                            "PUT_IF_MATCH Refused",
                            "PUT_IF_MATCH Unknown, reply lost",
                            "DELETE_IF_MATCH Deleted",
                            "DELETE_IF_MATCH Deleted, reply lost",
                            "DELETE_IF_MATCH Refused",
                            "DELETE_IF_MATCH Unknown, reply lost");
        }
    }

    /** What a client was told. */
    private sealed interface Claim {}

    private record PutClaim(StoreOperation operation, String text, Optional<PutOutcome> outcome, boolean lost)
            implements Claim {}

    private record DeleteClaim(ETag etag, Optional<DeleteOutcome> outcome, boolean lost) implements Claim {}

    private void checkOneRun(RandomGenerator random) {
        Simulation simulation = new Simulation(random);
        RecordingObjectStore server = simulation.server;
        List<Claim> claims = new ArrayList<>();
        int clients = random.nextInt(2, 5);
        double faults = random.nextDouble(0.1, 0.7);
        for (int c = 0; c < clients; c++) {
            simulation.spawn("client " + c, faults, (client, choices) -> {
                for (int i = 0; i < 4; i++) {
                    oneWrite(client, "attempt " + i, choices, server).ifPresent(claims::add);
                }
            });
        }

        simulation.run();

        List<Change> changes = server.changes();
        claims.forEach(claim -> {
            if (claim instanceof PutClaim put) {
                checkPut(put, changes);
            }
        });
        checkDeletes(claims, changes);
    }

    private Optional<Claim> oneWrite(
            Simulation.Client client, String attempt, RandomGenerator choices, RecordingObjectStore server) {
        String key = choices.nextInt(4) == 0 ? "other" : "contested";
        Optional<StoredObject> before;
        try {
            before = client.store().get(key);
        } catch (OntologiaException unavailable) {
            return Optional.empty();
        }
        long mark = client.mark();
        if (before.isPresent() && choices.nextInt(6) == 0) {
            ETag etag = before.get().etag();
            Optional<DeleteOutcome> outcome = attempt(() -> client.store().deleteIfMatch(key, etag));
            if (outcome.filter(DeleteOutcome.Deleted.class::isInstance).isPresent()) {
                assertThat(server.changes()).contains(new Removed(key, etag));
            }
            return Optional.of(counted(new DeleteClaim(etag, outcome, client.lostReplySince(mark))));
        }
        boolean create = before.isEmpty() || choices.nextInt(6) == 0;
        String text = client.name() + ", " + attempt;
        Optional<PutOutcome> outcome = attempt(() -> create
                ? client.store().putIfAbsent(key, Payload.of(text))
                : client.store()
                        .putIfMatch(key, Payload.of(text), before.orElseThrow().etag()));
        if (outcome.orElse(null) instanceof PutOutcome.Written written) {
            assertThat(server.changes()).contains(new Stored(key, written.etag(), text));
        }
        StoreOperation operation = create ? StoreOperation.PUT_IF_ABSENT : StoreOperation.PUT_IF_MATCH;
        return Optional.of(counted(new PutClaim(operation, text, outcome, client.lostReplySince(mark))));
    }

    private static <T> Optional<T> attempt(Supplier<T> write) {
        try {
            return Optional.of(write.get());
        } catch (OntologiaException certainlyNothingDone) {
            return Optional.empty();
        }
    }

    private static void checkPut(PutClaim claim, List<Change> changes) {
        List<Integer> effects = IntStream.range(0, changes.size())
                .filter(i ->
                        changes.get(i) instanceof Stored stored && stored.text().equals(claim.text()))
                .boxed()
                .toList();
        if (claim.outcome().isEmpty() || claim.outcome().get() instanceof PutOutcome.Refused) {
            assertThat(effects).as("effects of %s", claim).isEmpty();
        } else if (claim.outcome().get() instanceof PutOutcome.Unknown) {
            assertThat(claim.lost()).as("a reply was lost to %s", claim).isTrue();
        } else {
            assertThat(effects).as("effects of %s", claim).isNotEmpty();
        }
        for (int i = 1; i < effects.size(); i++) {
            // Only this: others deleted the object, and a request that was sent again or came late created it again.
            assertThat(claim.operation()).as("%s", claim).isEqualTo(StoreOperation.PUT_IF_ABSENT);
            assertThat(claim.lost()).as("a reply was lost to %s", claim).isTrue();
            assertThat(changes.subList(effects.get(i - 1), effects.get(i)))
                    .as("what happened between two effects of %s", claim)
                    .anyMatch(Removed.class::isInstance);
        }
    }

    private static List<ETag> removed(List<Change> changes) {
        return changes.stream()
                .filter(Removed.class::isInstance)
                .map(Change::etag)
                .toList();
    }

    /** Every version that was removed was removed once, and whoever else wanted to remove it does not say that it did. */
    private static void checkDeletes(List<Claim> claims, List<Change> changes) {
        List<ETag> removed = removed(changes);
        assertThat(removed).doesNotHaveDuplicates();
        List<ETag> claimed = new ArrayList<>();
        List<ETag> unknown = new ArrayList<>();
        for (Claim claim : claims) {
            if (claim instanceof DeleteClaim delete && delete.outcome().isPresent()) {
                if (delete.outcome().get() instanceof DeleteOutcome.Deleted) {
                    claimed.add(delete.etag());
                } else if (delete.outcome().get() instanceof DeleteOutcome.Unknown) {
                    assertThat(delete.lost())
                            .as("a reply was lost to %s", delete)
                            .isTrue();
                    unknown.add(delete.etag());
                }
            }
        }
        assertThat(claimed).doesNotHaveDuplicates();
        assertThat(removed).containsAll(claimed);
        assertThat(removed).allMatch(etag -> claimed.contains(etag) || unknown.contains(etag));
    }

    private Claim counted(Claim claim) {
        StoreOperation operation = claim instanceof PutClaim put ? put.operation() : StoreOperation.DELETE_IF_MATCH;
        boolean lost = claim instanceof PutClaim put ? put.lost() : ((DeleteClaim) claim).lost();
        Optional<?> outcome = claim instanceof PutClaim put ? put.outcome() : ((DeleteClaim) claim).outcome();
        String name = operation + " "
                + outcome.map(o -> o.getClass().getSimpleName()).orElse("failed") + (lost ? ", reply lost" : "");
        outcomes.merge(name, 1, Integer::sum);
        return claim;
    }
}
