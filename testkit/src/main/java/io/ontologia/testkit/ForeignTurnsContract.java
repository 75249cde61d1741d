package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernPayload;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.CreateOutcome;
import io.ontologia.nameservice.LifecycleOutcome;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.NewRecord;
import io.ontologia.nameservice.PurgeOutcome;
import io.ontologia.nameservice.PushOutcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A nameservice and a {@link ForeignRecords foreign writer} that change the same records in turn. After every step both see what the
 * steps so far made of the record. {@code -Dontologia.foreign.steps=N} sets the number of steps.
 */
public abstract class ForeignTurnsContract extends NameserviceSuite {
    private static final int STEPS = Integer.getInteger("ontologia.foreign.steps", 60);

    private static final List<Concern> CONCERNS = List.of(Concern.values());

    private final Map<String, Map<String, @Nullable Object>> model = new LinkedHashMap<>();

    /** The foreign writer of the same records. */
    protected abstract ForeignRecords foreign();

    @Test
    protected void both_see_what_each_of_them_wrote() {
        Seeds.forEach("foreign turns", 1, random -> {
            List<String> trace = new ArrayList<>();
            for (int step = 0; step < STEPS; step++) {
                String alias = random.nextInt(3) == 0 ? "other:dev" : "mydb:main";
                boolean ours = random.nextBoolean();
                trace.add((ours ? "ours " : "foreign ") + alias);
                step(alias, ours, random, trace);
                compare(alias, trace);
            }
        });
    }

    private void step(String alias, boolean ours, RandomGenerator random, List<String> trace) {
        Map<String, @Nullable Object> record = model.get(alias);
        if (record == null) {
            trace.add("create");
            create(alias, ours);
        } else if (Boolean.TRUE.equals(record.get("retracted"))) {
            leave(alias, record, ours, random, trace);
        } else if (random.nextInt(12) == 0) {
            trace.add("retract");
            retract(alias, record, ours);
        } else {
            push(alias, record, ours, random, trace);
        }
    }

    private void create(String alias, boolean ours) {
        if (ours) {
            assertThat(names().create(NewRecord.ledger(Alias.parse(alias)))).isInstanceOf(CreateOutcome.Created.class);
        } else {
            foreign().create(alias, "ledger", SettableClock.START.getEpochSecond());
        }
        model.put(
                alias,
                new LinkedHashMap<>(ForeignRecords.unborn(alias, "ledger", SettableClock.START.getEpochSecond())));
    }

    /** The specification knows no way back from a retraction, and no removal but that of what is stored. */
    private void leave(
            String alias,
            Map<String, @Nullable Object> record,
            boolean ours,
            RandomGenerator random,
            List<String> trace) {
        if (!ours) {
            trace.add("remove");
            foreign().remove(alias);
            model.remove(alias);
        } else if (random.nextBoolean()) {
            trace.add("purge");
            assertThat(names().purge(Alias.parse(alias))).isEqualTo(new PurgeOutcome.Purged());
            model.remove(alias);
        } else {
            trace.add("restore");
            NameRecord now = ((LifecycleOutcome.Changed) names().restore(Alias.parse(alias))).record();
            record.put("retracted", false);
            set(record, "status", now.status());
        }
    }

    private void retract(String alias, Map<String, @Nullable Object> record, boolean ours) {
        record.put("retracted", true);
        if (ours) {
            NameRecord now = ((LifecycleOutcome.Changed) names().retract(Alias.parse(alias), "")).record();
            set(record, "status", now.status());
        } else {
            long next = watermark(record, "status") + 1;
            foreign().retract(alias, next, 1_700_000_000);
            record.put("status_v", next);
            record.put("status", Map.of("state", "retracted", "retracted_at", 1_700_000_000L));
        }
    }

    private void push(
            String alias,
            Map<String, @Nullable Object> record,
            boolean ours,
            RandomGenerator random,
            List<String> trace) {
        Concern concern = CONCERNS.get(random.nextInt(CONCERNS.size()));
        String name = concern.wireName();
        trace.add("push " + name);
        long next = watermark(record, name) + 1 + (concern == Concern.HEAD ? random.nextInt(3) : 0);
        Map<String, Object> payload = payload(concern, next, random);
        if (ours) {
            ConcernValue expected = names().concern(Alias.parse(alias), concern).orElseThrow();
            assertThat(names().push(Alias.parse(alias), concern, expected, ConcernValue.of(next, payload)))
                    .as("%s", trace)
                    .isInstanceOf(PushOutcome.Updated.class);
        } else {
            foreign().set(alias, name, next, payload);
        }
        record.put(name + "_v", next);
        record.put(name, ConcernPayload.of(payload).fields());
    }

    private static Map<String, Object> payload(Concern concern, long next, RandomGenerator random) {
        String text = "x" + random.nextInt(1000);
        return switch (concern) {
            case HEAD -> Map.of("address", text, "t", next);
            case INDEX -> Map.of("default", Map.of("address", text, "t", next, "rev", 0L));
            case STATUS -> Map.of("state", "ready", "queue_depth", random.nextInt(9) / 2.0);
            case CONFIG -> Map.of("default_context", text, "replication", Map.of("regions", List.of("a", "b")));
        };
    }

    private void compare(String alias, List<String> trace) {
        Map<String, @Nullable Object> expected = model.get(alias);
        Alias name = Alias.parse(alias);
        if (expected == null) {
            assertThat(names().lookup(name)).as("%s", trace).isEmpty();
            assertThat(foreign().read(alias)).as("%s", trace).isEmpty();
            return;
        }
        NameRecord ours = names().lookup(name).orElseThrow(() -> new AssertionError("not found: " + trace));
        Map<String, @Nullable Object> theirs = foreign().read(alias).orElseThrow();
        assertThat(ours.isRetracted()).as("%s", trace).isEqualTo(expected.get("retracted"));
        assertThat(theirs.get("retracted")).as("%s", trace).isEqualTo(expected.get("retracted"));
        assertThat(names().watermarks(name)).contains(ours.watermarks());
        for (Concern concern : Concern.values()) {
            ConcernValue wanted = value(expected, concern.wireName());
            assertThat(ours.concern(concern)).as("ours %s %s", concern, trace).isEqualTo(wanted);
            assertThat(names().concern(name, concern)).as("%s", trace).contains(wanted);
            assertThat(value(theirs, concern.wireName()))
                    .as("theirs %s %s", concern, trace)
                    .isEqualTo(wanted);
        }
    }

    private static void set(Map<String, @Nullable Object> record, String concern, ConcernValue value) {
        record.put(concern + "_v", value.watermark());
        record.put(concern, value.payload().orElseThrow().fields());
    }

    private static long watermark(Map<String, @Nullable Object> record, String concern) {
        return record.get(concern + "_v") instanceof Long number ? number : 0;
    }

    @SuppressWarnings("unchecked") // a JSON object
    private static ConcernValue value(Map<String, @Nullable Object> record, String concern) {
        long watermark = watermark(record, concern);
        return record.get(concern) instanceof Map<?, ?> payload
                ? ConcernValue.of(watermark, (Map<String, @Nullable Object>) payload)
                : new ConcernValue(watermark, java.util.Optional.empty());
    }
}
