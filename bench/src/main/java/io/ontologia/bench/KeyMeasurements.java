package io.ontologia.bench;

import static io.ontologia.core.Fields.key;

import io.ontologia.core.Session;
import java.util.SplittableRandom;

/** Filters by key, and the past of one key, each against as many calls of {@code find}. */
final class KeyMeasurements {
    private static final double GOAL = 1.5;

    private final int keys;
    private final int lookUps;
    private final Report report;

    KeyMeasurements(int keys, int lookUps, Report report) {
        this.keys = keys;
        this.lookUps = lookUps;
        this.report = report;
    }

    private interface LookUp {
        boolean find(String key);
    }

    void run(Session session) throws Exception {
        long head = session.head();
        against(
                session,
                "filter by one key",
                key -> session.entities(Customer.class)
                                .where(key().eq(key))
                                .list()
                                .size()
                        == 1);
        against(
                session,
                "one key as of a commit",
                key -> session.findAsOf(Customer.class, key, head).isPresent());
        against(
                session,
                "versions of one key in the last fifth of the history",
                key -> !session.entities(Customer.class)
                        .where(key().eq(key))
                        .historySince(head - head / 5)
                        .results()
                        .isEmpty());
    }

    private void against(Session session, String what, LookUp lookUp) throws Exception {
        double[] seconds = Stopwatch.medians(
                5, () -> each(key -> session.find(Customer.class, key).isPresent()), () -> each(lookUp));
        report.atMost(what + ", " + lookUps + " times, against find", seconds[1], seconds[0], GOAL);
    }

    private void each(LookUp lookUp) {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < lookUps; i++) {
            if (!lookUp.find(Customer.key(random.nextInt(keys)))) {
                throw new IllegalStateException("a key was not found");
            }
        }
    }
}
