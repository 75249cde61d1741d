package io.ontologia.testkit;

import io.ontologia.kernel.Retry;
import io.ontologia.kernel.RetryPolicy;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** A store whose every fifth request fails in a way that retries cure, so its users must not notice. */
final class RecoveringObjectStore {
    private RecoveringObjectStore() {}

    static ObjectStore open() {
        List<Fault> harmless =
                List.of(new Fault.FailBefore(), new Fault.Conflict(), new Fault.Delay(Duration.ofMillis(1)));
        SettableClock clock = new SettableClock();
        RetryPolicy patient = new RetryPolicy(50, Duration.ZERO, Duration.ZERO, Duration.ofSeconds(10));
        return new FaultyObjectStore(
                ObjectStores.open("memory:"),
                FaultPlan.random(new SplittableRandom(20), 0.2, harmless),
                clock,
                new Retry(patient, new SettableClock(), new SplittableRandom(21)));
    }
}
