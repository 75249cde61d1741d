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

    /**
     * The medians of two ways to do the same, in turns, after one run of each that does not count.
     *
     * @return the seconds of each
     */
    static double[] medians(int runs, Work one, Work other) throws Exception {
        double[][] times = new double[2][runs];
        one.run();
        other.run();
        for (int i = 0; i < runs; i++) {
            times[0][i] = seconds(one);
            times[1][i] = seconds(other);
        }
        Arrays.sort(times[0]);
        Arrays.sort(times[1]);
        return new double[] {times[0][runs / 2], times[1][runs / 2]};
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
