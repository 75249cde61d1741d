package io.ontologia.testkit;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Runs a randomized test many times, each with its own seed. The seeds are printed before the first run; a failure names
 * the one that failed, and {@code -Dontologia.seed=N} runs that one alone.
 */
public final class Seeds {
    /** The system property that replays one seed. */
    public static final String PROPERTY = "ontologia.seed";

    private static final String CHOICE = "ontologia.seeds";

    private Seeds() {}

    /** A test that takes all its choices from the generator. */
    @FunctionalInterface
    public interface SeededTest {
        /** Runs once. */
        void run(RandomGenerator random) throws Exception;
    }

    /**
     * Runs the test.
     *
     * @param name what the seeds are printed with
     * @throws AssertionError naming the seed, with the failure inside, when a run fails
     */
    public static void forEach(String name, int runs, SeededTest test) {
        run(name, new SplittableRandom().nextLong(1L << 48), runs, test);
    }

    /**
     * As {@link #forEach}, with the same seeds each time: for a test whose combinations are so many that a few of them say
     * little about the rest. {@code -Dontologia.seeds=random} takes others.
     */
    public static void forEachSame(String name, int runs, SeededTest test) {
        if (System.getProperty(CHOICE, "same").equals("random")) {
            forEach(name, runs, test);
        } else {
            run(name, 1, runs, test);
        }
    }

    private static void run(String name, long from, int runs, SeededTest test) {
        Long replayed = Long.getLong(PROPERTY);
        long first = replayed != null ? replayed : from;
        int count = replayed != null ? 1 : runs;
        System.out.printf("%s: seeds %d to %d%n", name, first, first + count - 1);
        for (long seed = first; seed < first + count; seed++) {
            try {
                test.run(new SplittableRandom(seed));
            } catch (Exception | AssertionError e) {
                throw new AssertionError(
                        name + " failed with seed " + seed + "; replay it with -D" + PROPERTY + "=" + seed + ": " + e,
                        e);
            }
        }
    }
}
