package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Aggregate;
import io.ontologia.core.Cascade;
import io.ontologia.core.Change;
import io.ontologia.core.CommitResult;
import io.ontologia.core.Fields;
import io.ontologia.core.Finding;
import io.ontologia.core.Identity;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Progress;
import io.ontologia.core.Query;
import io.ontologia.core.Restoration;
import io.ontologia.core.Result;
import io.ontologia.core.Row;
import io.ontologia.core.RowRef;
import io.ontologia.core.Session;
import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.Storage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Random sequences of rows that are written, end, come back, are replaced as a whole and restored, compared with a plain map after
 * each commit: the present, the past at every commit, histories, changes, differences, counts and aggregates.
 */
public abstract class RetractionModelContract extends OntologySuite {
    private static final int KEYS = 6;
    private static final TypeRef THING = TypeRef.entity("Thing");
    private static final TypeRef LINK = TypeRef.relation("Link");

    /** How many sequences are tried; {@code -Dontologia.retraction.runs} tries more. */
    private static final int RUNS = Integer.getInteger("ontologia.retraction.runs", 2);

    private static final int COMMITS = Integer.getInteger("ontologia.retraction.commits", 10);

    /** The URI of a store that does not exist yet; another one with every call. */
    protected abstract String anotherStore();

    /** Merges files now and then, which changes no answer. */
    private static void tidy(Storage storage, RandomGenerator random) {
        if (random.nextInt(4) == 0) {
            storage.upkeep().ifPresent(upkeep -> upkeep.compact(Optional.empty(), "tidy", Progress.none()));
        }
    }

    @Override
    protected final String newStore() {
        return anotherStore();
    }

    private final List<Map<RowRef, Long>> states = new ArrayList<>();

    @Test
    void every_answer_is_that_of_a_plain_map() {
        Seeds.forEachSame(getClass().getSimpleName(), RUNS, this::run);
    }

    private void run(RandomGenerator random) {
        states.clear();
        states.add(new HashMap<>());
        String store = anotherStore();
        try (Session session = Ontologia.open(store, options(), THINGS)) {
            while (states.size() <= COMMITS) {
                Map<RowRef, Long> wanted = new HashMap<>(states.get(states.size() - 1));
                step(session, wanted, random);
                commit(session, wanted);
                tidy(session.storage(), random);
                check(session, random);
            }
            assertThat(session.storage().check(Progress.none()))
                    .noneMatch(finding -> finding.severity() == Finding.Severity.ERROR);
        }
        try (Session again = Ontologia.open(store, options(), THINGS)) {
            check(again, random);
        }
    }

    private void commit(Session session, Map<RowRef, Long> wanted) {
        Map<RowRef, Long> before = states.get(states.size() - 1);
        long inserted =
                wanted.keySet().stream().filter(row -> !before.containsKey(row)).count();
        long ended =
                before.keySet().stream().filter(row -> !wanted.containsKey(row)).count();
        long changed = wanted.entrySet().stream()
                .filter(row -> before.containsKey(row.getKey())
                        && !before.get(row.getKey()).equals(row.getValue()))
                .count();
        CommitResult result = session.commit();
        if (inserted + ended + changed == 0) {
            assertThat(result).isInstanceOf(CommitResult.NothingToDo.class);
        } else {
            assertThat(result)
                    .isEqualTo(new CommitResult.Committed(states.size(), clock.now(), inserted, changed, ended));
            states.add(wanted);
        }
    }

    private void step(Session session, Map<RowRef, Long> wanted, RandomGenerator random) {
        switch (random.nextInt(6)) {
            case 0 -> complete(session, wanted, random);
            case 1 -> {
                int last = states.size() - 1;
                if (last > 0 && canReturnTo(states.get(last - 1))) {
                    revert(session, wanted);
                } else {
                    some(session, wanted, random);
                }
            }
            case 2 -> {
                int commit = random.nextInt(states.size());
                if (canReturnTo(states.get(commit))) {
                    restore(session, wanted, commit);
                } else {
                    some(session, wanted, random);
                }
            }
            default -> some(session, wanted, random);
        }
    }

    /** A few rows, each written or ended. */
    private void some(Session session, Map<RowRef, Long> wanted, RandomGenerator random) {
        int count = 1 + random.nextInt(random.nextInt(4) == 0 ? 30 : 4);
        for (int i = 0; i < count; i++) {
            RowRef row = random.nextBoolean() ? thing(random) : link(random);
            if (random.nextInt(3) > 0) {
                ensure(session, wanted, row, random);
            } else if (row.type().equals(LINK)) {
                session.retract(Cascade.NONE, row);
                wanted.remove(row);
            }
        }
        if (random.nextBoolean()) {
            RowRef end = thing(random);
            Map<RowRef, Long> stored = states.get(states.size() - 1);
            boolean contradicts = wanted.entrySet().stream()
                    .anyMatch(row -> isEnd(row.getKey(), end) && !row.getValue().equals(stored.get(row.getKey())));
            boolean isNew = !stored.containsKey(end);
            if (!contradicts && !isNew) {
                session.retract(Cascade.RELATIONS, end);
                wanted.remove(end);
                // A relation that the same commit writes again with the values that it has contradicts as well.
                List<RowRef> links =
                        wanted.keySet().stream().filter(row -> isEnd(row, end)).toList();
                links.forEach(row -> session.retract(Cascade.NONE, row));
                wanted.keySet().removeAll(links);
            }
        }
    }

    /** All there is of the things: what is not named ends. */
    private void complete(Session session, Map<RowRef, Long> wanted, RandomGenerator random) {
        Map<RowRef, Long> stored = states.get(states.size() - 1);
        Map<RowRef, Long> all = new HashMap<>();
        for (int i = 0; i < KEYS; i++) {
            RowRef row = RowRef.entity("Thing", "t" + i);
            if (random.nextInt(4) > 0) {
                ensure(session, all, row, random);
            }
        }
        try (var rows = session.entities("Thing").refs()) {
            rows.filter(row -> !all.containsKey(row)).forEach(row -> session.retract(Cascade.RELATIONS, row));
        }
        wanted.keySet().removeIf(row -> row.type().equals(THING));
        wanted.putAll(all);
        wanted.keySet()
                .removeIf(row -> row.type().equals(LINK)
                        && stored.keySet().stream().anyMatch(end -> isEnd(row, end) && !all.containsKey(end)));
    }

    private void revert(Session session, Map<RowRef, Long> wanted) {
        int last = states.size() - 1;
        session.restoration().revert(last, Restoration.LaterChanges.REFUSE, Cascade.RELATIONS);
        wanted.clear();
        wanted.putAll(states.get(last - 1));
    }

    /** Whether no relation of a past state has an entity at an end that would have to end now. */
    private boolean canReturnTo(Map<RowRef, Long> past) {
        Map<RowRef, Long> now = states.get(states.size() - 1);
        return past.keySet().stream()
                .noneMatch(row -> now.keySet().stream().anyMatch(end -> isEnd(row, end) && !past.containsKey(end)));
    }

    private void restore(Session session, Map<RowRef, Long> wanted, int commit) {
        Map<RowRef, Long> past = states.get(commit);
        for (TypeRef type : List.of(THING, LINK)) {
            session.restoration().restore(type, Optional.empty(), commit, Cascade.RELATIONS);
        }
        wanted.clear();
        wanted.putAll(past);
    }

    private static void ensure(Session session, Map<RowRef, Long> wanted, RowRef row, RandomGenerator random) {
        long value = random.nextInt(3);
        wanted.put(row, value);
        session.ensure(
                row.identity() instanceof Identity.OfRelation ends
                        ? link(ends.leftKey(), ends.rightKey(), "v", value)
                        : thing(row.identity().toString(), "v", value));
    }

    private static boolean isEnd(RowRef relation, RowRef entity) {
        return relation.identity() instanceof Identity.OfRelation ends
                && entity.identity() instanceof Identity.OfEntity key
                && (ends.leftKey().equals(key.key()) || ends.rightKey().equals(key.key()));
    }

    private static RowRef thing(RandomGenerator random) {
        return RowRef.entity("Thing", "t" + random.nextInt(KEYS));
    }

    private static RowRef link(RandomGenerator random) {
        return RowRef.relation("Link", "t" + random.nextInt(KEYS), "t" + random.nextInt(KEYS));
    }

    private void check(Session session, RandomGenerator random) {
        int head = states.size() - 1;
        assertThat(session.head()).isEqualTo(head);
        for (TypeRef type : List.of(THING, LINK)) {
            assertState(query(session, type), of(type, states.get(head)), "latest");
            for (int commit = 0; commit <= head; commit++) {
                if (commit > head - 3 || random.nextInt(3) == 0) {
                    assertState(query(session, type).asOf(commit), of(type, states.get(commit)), "as of " + commit);
                }
            }
            assertHistory(session, type);
        }
        String right = "t" + random.nextInt(KEYS);
        int past = random.nextInt(states.size());
        assertThat(keys(session.relations("Link")
                        .where(Fields.rightKey().eq(right))
                        .asOf(past)))
                .isEqualTo(of(LINK, states.get(past)).keySet().stream()
                        .filter(key -> key.endsWith(" -> " + right))
                        .toList());
        String key = "t" + random.nextInt(KEYS);
        assertThat(session.findAsOf("Thing", key, past).isPresent())
                .isEqualTo(states.get(past).containsKey(RowRef.entity("Thing", key)));
        assertThat(session.find("Thing", key).isPresent())
                .isEqualTo(states.get(head).containsKey(RowRef.entity("Thing", key)));
        int from = random.nextInt(states.size());
        if (head > 0) {
            int to = from + random.nextInt(states.size() - from);
            if (to > 0) {
                assertThat(described(session.log().diff(from, to))).isEqualTo(difference(from, to));
            }
            assertThat(described(session.log().changes(head))).isEqualTo(difference(head - 1, head));
        }
    }

    private static Query<Row> query(Session session, TypeRef type) {
        return type.kind() == TypeKind.ENTITY ? session.entities(type.name()) : session.relations(type.name());
    }

    private static Map<String, Long> of(TypeRef type, Map<RowRef, Long> state) {
        Map<String, Long> rows = new TreeMap<>();
        state.forEach((row, value) -> {
            if (row.type().equals(type)) {
                rows.put(row.identity().toString(), value);
            }
        });
        return rows;
    }

    private static void assertState(Query<Row> query, Map<String, Long> expected, String when) {
        Map<String, Object> found = new LinkedHashMap<>();
        query.results()
                .forEach(result -> found.put(
                        result.identity().toString(), result.value().fields().get("v")));
        assertThat(found).as(when).isEqualTo(expected);
        assertThat(query.count()).as(when).isEqualTo(expected.size());
        assertThat(query.where(Fields.field("$.v").eq(1L)).count())
                .as(when)
                .isEqualTo(
                        expected.values().stream().filter(value -> value == 1).count());
        assertThat(query.aggregate(Aggregate.count("n")).get(0).get("n"))
                .as(when)
                .isEqualTo((long) expected.size());
    }

    private void assertHistory(Session session, TypeRef type) {
        List<String> expected = new ArrayList<>();
        for (int commit = 1; commit < states.size(); commit++) {
            Map<String, Long> before = of(type, states.get(commit - 1));
            Map<String, Long> after = of(type, states.get(commit));
            Map<String, String> versions = new TreeMap<>();
            after.forEach((key, value) -> {
                if (!value.equals(before.get(key))) {
                    versions.put(key, String.valueOf(value));
                }
            });
            before.keySet().stream().filter(key -> !after.containsKey(key)).forEach(key -> versions.put(key, "end"));
            for (Map.Entry<String, String> version : versions.entrySet()) {
                expected.add(commit + " " + version.getKey() + " " + version.getValue());
            }
        }
        List<Result<Row>> history = query(session, type).withHistory().results();
        assertThat(history.stream()
                        .map(result -> result.commitId() + " " + result.identity() + " "
                                + (result.isEnd()
                                        ? "end"
                                        : result.value().fields().get("v")))
                        .toList())
                .isEqualTo(expected);
        assertThat(query(session, type).withHistory().count()).isEqualTo(expected.size());
    }

    private List<String> difference(int from, int to) {
        Map<RowRef, Long> before = states.get(from);
        Map<RowRef, Long> after = states.get(to);
        List<String> changes = new ArrayList<>();
        after.forEach((row, value) -> {
            if (!value.equals(before.get(row))) {
                changes.add(row + (before.containsKey(row) ? " UPDATE_VERSION " : " INSERT ") + before.get(row) + " "
                        + value);
            }
        });
        before.forEach((row, value) -> {
            if (!after.containsKey(row)) {
                changes.add(row + " RETRACT " + value + " null");
            }
        });
        return changes.stream().sorted().toList();
    }

    private static List<String> described(List<Change> changes) {
        return changes.stream()
                .map(change -> new RowRef(change.type(), change.identity()) + " " + change.operation() + " "
                        + change.before().map(fields -> fields.get("v")).orElse(null) + " "
                        + change.after().get("v"))
                .sorted()
                .toList();
    }
}
