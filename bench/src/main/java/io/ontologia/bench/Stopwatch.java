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

    /** Work on a part of the whole. */
    interface Part {
        void run(int first, int count) throws Exception;
    }

    /**
     * Two ways to do the same, in turns, part by part, so that whatever else the machine does slows both alike.
     *
     * @return the seconds of each
     */
    static double[] inTurns(int first, int count, int part, Part one, Part other) throws Exception {
        double[] total = new double[2];
        for (int start = first; start < first + count; start += part) {
            int from = start;
            int size = Math.min(part, first + count - start);
            total[0] += seconds(() -> one.run(from, size));
            total[1] += seconds(() -> other.run(from, size));
        }
        return total;
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
