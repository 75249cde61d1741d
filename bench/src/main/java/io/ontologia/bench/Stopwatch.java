package io.ontologia.bench;

import io.ontologia.kernel.Clock;
import java.util.Arrays;

/** Measures seconds. */
final class Stopwatch {
    /** Work to measure. */
    interface Work {
        void run() throws Exception;
    }

    private Stopwatch() {}

    static double seconds(Work work) throws Exception {
        long start = Clock.system().monotonicNanos();
        work.run();
        return (Clock.system().monotonicNanos() - start) / 1e9;
    }

    /** The median of several runs, after one that does not count. */
    static double median(int runs, Work work) throws Exception {
        work.run();
        double[] times = new double[runs];
        for (int i = 0; i < runs; i++) {
            times[i] = seconds(work);
        }
        Arrays.sort(times);
        return times[runs / 2];
    }
}
