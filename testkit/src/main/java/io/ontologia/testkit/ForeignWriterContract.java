package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Claim;
import io.ontologia.core.CommitResult;
import io.ontologia.core.EntityType;
import io.ontologia.core.EventOptions;
import io.ontologia.core.Identity;
import io.ontologia.core.Maintenance;
import io.ontologia.core.NewEvent;
import io.ontologia.core.Progress;
import io.ontologia.core.RelationType;
import io.ontologia.core.Session;
import io.ontologia.core.spi.ClaimRequest;
import io.ontologia.core.spi.EventStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * A writer that follows the specification alone and one of ours take turns on one store, and both see the same state after
 * every step. {@code -Dontologia.foreign.steps=1000} makes the run longer.
 */
public abstract class ForeignWriterContract extends StorageSuite {
    private static final int STEPS = Integer.getInteger("ontologia.foreign.steps", 40);
    private static final int KEYS = 6;
    private static final String NAMESPACE = "shop";
    private static final String HANDLER = "audit";
    private static final EntityType CUSTOMER = entityType("Customer", text("name"));
    private static final RelationType KNOWS = relationType("Knows", "Customer", "Customer", integer("n"));

    /** The foreign writer of a store. */
    protected abstract ForeignWriter foreign(String uri) throws Exception;

    /** What {@code fsck} may say of a store that another implementation wrote to: it keeps no digests. */
    protected Set<String> toleratedFindings() {
        return Set.of("digest-missing", "digest-gap");
    }

    @Test
    void both_writers_see_the_same_state_after_every_step() {
        Seeds.forEach("foreign writer and ours", 1, this::takeTurns);
    }

    private void takeTurns(RandomGenerator random) throws Exception {
        try (Session session = open(CUSTOMER, KNOWS);
                ForeignWriter foreign = foreign(uri())) {
            Turns turns = new Turns(session, foreign, random);
            for (int step = 0; step < STEPS; step++) {
                clock.advance(Duration.ofSeconds(1));
                turns.step(step);
            }
        }
        try (Maintenance maintenance = maintain()) {
            assertThat(maintenance.check(Progress.none()))
                    .filteredOn(finding -> !toleratedFindings().contains(finding.code()))
                    .isEmpty();
        }
    }

    /** One run. The maps hold what both must see. */
    private final class Turns {
        private final Session ours;
        private final ForeignWriter foreign;
        private final RandomGenerator random;
        private final EventStore bus;
        private final Map<String, String> names = new TreeMap<>();
        private final Map<String, Long> numbers = new TreeMap<>();
        private final Map<Long, Map<String, String>> past = new TreeMap<>();
        private final List<String> history = new ArrayList<>();
        private final List<String> events = new ArrayList<>();
        private final Set<String> done = new java.util.HashSet<>();
        private long head;

        Turns(Session ours, ForeignWriter foreign, RandomGenerator random) {
            this.ours = ours;
            this.foreign = foreign;
            this.random = random;
            this.bus = ours.storage().events(EventOptions.defaults());
        }

        void step(int number) throws Exception {
            switch (random.nextInt(8)) {
                case 0, 1 -> commitOurs();
                case 2, 3 -> commitForeign();
                case 4 ->
                    bus.enqueue(List.of(NewEvent.of(NAMESPACE, "order", Map.of("n", (long) number))
                            .identity(event(number), clock.now())));
                case 5 -> foreign.enqueue(NAMESPACE, event(number), "order");
                case 6 -> finishOurs();
                default -> finishForeign();
            }
            compare();
        }

        private String event(int number) {
            String id = "event-%05d".formatted(number);
            events.add(id);
            return id;
        }

        private Map<String, String> someNames() {
            Map<String, String> some = new LinkedHashMap<>();
            for (int i = random.nextInt(1, 4); i > 0; i--) {
                some.put("c" + random.nextInt(KEYS), "name '\"ü" + random.nextInt(100));
            }
            return some;
        }

        private Map<String, Long> someNumbers() {
            Map<String, Long> some = new LinkedHashMap<>();
            for (int i = random.nextInt(3); i > 0; i--) {
                some.put("c" + random.nextInt(KEYS) + ">c" + random.nextInt(KEYS), random.nextLong(1000));
            }
            return some;
        }

        /** Only what differs is stored by ours; the foreign writer gets only that, so that both log the same. */
        private void commitOurs() {
            Map<String, String> wanted = someNames();
            Map<String, Long> related = someNumbers();
            wanted.forEach((key, name) -> ours.ensure(entity("Customer", key, Map.of("id", key, "name", name))));
            related.forEach((ends, n) ->
                    ours.ensure(relation("Knows", ends.split(">", -1)[0], ends.split(">", -1)[1], Map.of("n", n))));
            wanted.entrySet().removeIf(row -> row.getValue().equals(names.get(row.getKey())));
            related.entrySet().removeIf(row -> row.getValue().equals(numbers.get(row.getKey())));
            if (ours.commit() instanceof CommitResult.Committed committed) {
                committed(committed.commitId(), wanted, related);
            } else {
                assertThat(wanted).isEmpty();
                assertThat(related).isEmpty();
            }
        }

        private void commitForeign() throws Exception {
            Map<String, String> wanted = someNames();
            Map<String, Long> related = someNumbers();
            Optional<Long> id = foreign.commit(wanted, related);
            if (id.isEmpty()) {
                // We keep the lock between commits; a foreign writer gets it when it expired.
                clock.advance(Duration.ofSeconds(31));
                id = foreign.commit(wanted, related);
            }
            committed(id.orElseThrow(), wanted, related);
        }

        private void committed(long id, Map<String, String> wanted, Map<String, Long> related) {
            assertThat(id).isEqualTo(head + 1);
            head = id;
            names.putAll(wanted);
            numbers.putAll(related);
            past.put(id, new TreeMap<>(names));
            new TreeMap<>(wanted).forEach((key, name) -> history.add(id + " " + key + " " + name));
        }

        private void finishOurs() {
            List<Claim> claims = bus.claim(new ClaimRequest(
                    NAMESPACE, "ours", List.of(new ClaimRequest.Subscription(HANDLER, Set.of("order"), 1))));
            assertThat(claims).extracting(claim -> claim.event().id()).isEqualTo(next());
            bus.ack(claims);
            claims.forEach(claim -> done.add(claim.event().id()));
        }

        private void finishForeign() throws Exception {
            Optional<String> claimed = foreign.claim(NAMESPACE, HANDLER, "order");
            assertThat(claimed.stream().toList()).isEqualTo(next());
            if (claimed.isPresent()) {
                foreign.ack(NAMESPACE, HANDLER, claimed.get());
                done.add(claimed.get());
            }
        }

        private List<String> next() {
            return events.stream().filter(id -> !done.contains(id)).limit(1).toList();
        }

        private void compare() throws Exception {
            assertThat(ours.head()).isEqualTo(head);
            assertThat(foreign.head()).isEqualTo(head);
            assertThat(ourNames(head)).isEqualTo(names);
            assertThat(foreign.names(head)).isEqualTo(names);
            assertThat(ourNumbers()).isEqualTo(numbers);
            assertThat(foreign.numbers()).isEqualTo(numbers);
            if (head > 0) {
                long before = random.nextLong(1, head + 1);
                assertThat(ourNames(before)).isEqualTo(past.get(before));
                assertThat(foreign.names(before)).isEqualTo(past.get(before));
            }
            assertThat(ours.entities("Customer").withHistory().results().stream()
                            .map(row -> row.commitId() + " " + row.identity() + " "
                                    + row.value().fields().get("name"))
                            .toList())
                    .isEqualTo(history);
            assertThat(foreign.history()).isEqualTo(history);
            List<String> expected = events.stream()
                    .map(id -> id + (done.contains(id) ? " acked" : " pending"))
                    .toList();
            assertThat(foreign.events(NAMESPACE)).isEqualTo(expected);
            assertThat(bus.list(NAMESPACE, Integer.MAX_VALUE).stream()
                            .map(one -> one.event().id() + " " + one.status().wireName())
                            .toList())
                    .isEqualTo(expected);
        }

        private Map<String, String> ourNames(long commitId) {
            Map<String, String> found = new TreeMap<>();
            var query = commitId == head
                    ? ours.entities("Customer")
                    : ours.entities("Customer").asOf(commitId);
            query.results()
                    .forEach(row -> found.put(
                            row.identity().toString(),
                            String.valueOf(row.value().fields().get("name"))));
            return found;
        }

        private Map<String, Long> ourNumbers() {
            Map<String, Long> found = new TreeMap<>();
            ours.relations("Knows").results().forEach(row -> {
                Identity.OfRelation ends = (Identity.OfRelation) row.identity();
                found.put(ends.leftKey() + ">" + ends.rightKey(), (Long)
                        row.value().fields().get("n"));
            });
            return found;
        }
    }
}
