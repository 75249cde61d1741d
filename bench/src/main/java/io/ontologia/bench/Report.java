package io.ontologia.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Collects ratios and prints them beside what they must reach. */
final class Report {
    private record Line(
            String work, double seconds, double floorSeconds, String ratio, String wanted, boolean reached) {}

    private final double scale;
    private final List<Line> lines = new ArrayList<>();

    Report(double scale) {
        this.scale = scale;
    }

    /** Ours may take at most so many times the floor. */
    void atMost(String work, double seconds, double floorSeconds, double limit) {
        double ratio = seconds / floorSeconds;
        add(new Line(work, seconds, floorSeconds, text("%.2fx", ratio), text("at most %.1fx", limit), ratio <= limit));
    }

    /** Ours must be at least so many times faster than the floor. */
    void faster(String work, double seconds, double floorSeconds, double times) {
        double ratio = floorSeconds / seconds;
        add(new Line(
                work,
                seconds,
                floorSeconds,
                text("%.1fx faster", ratio),
                text("at least %.1fx", times),
                ratio >= times));
    }

    /** Ours must do at least so many of something in a second. */
    void perSecond(String work, double seconds, double floorSeconds, long count, double least) {
        double rate = count / seconds;
        add(new Line(work, seconds, floorSeconds, text("%.0f/s", rate), text("at least %.0f/s", least), rate >= least));
    }

    /** Ours may take at most so long. */
    void within(String work, double seconds, double limit) {
        add(new Line(
                work,
                seconds,
                Double.NaN,
                text("%.2f ms", seconds * 1000),
                text("at most %.0f ms", limit * 1000),
                seconds <= limit));
    }

    /** Ours may make at most so many requests. */
    void requests(String work, double requests, double limit) {
        add(new Line(
                work,
                Double.NaN,
                Double.NaN,
                text("%.2f requests", requests),
                text("at most %.0f", limit),
                requests <= limit));
    }

    /** There may be at most so many of something. */
    void count(String work, int count, int limit) {
        add(new Line(work, Double.NaN, Double.NaN, text("%.0f", count), text("at most %.0f", limit), count <= limit));
    }

    private void add(Line line) {
        lines.add(line);
        System.err.printf(Locale.ROOT, "%s: %s%n", line.work(), line.ratio());
    }

    boolean allReached() {
        return lines.stream().allMatch(Line::reached);
    }

    void print() {
        System.out.printf(Locale.ROOT, "scale %.3f, Java %s%n%n", scale, Runtime.version());
        System.out.println("| work | ours, s | floor, s | ratio | wanted | |");
        System.out.println("|---|---:|---:|---:|---|---|");
        for (Line line : lines) {
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %s | %s | %s | %s | %s |%n",
                    line.work(),
                    seconds(line.seconds()),
                    seconds(line.floorSeconds()),
                    line.ratio(),
                    line.wanted(),
                    line.reached() ? "reached" : "MISSED");
        }
    }

    /** Lines about numbers of things have no seconds. */
    private static String seconds(double number) {
        return Double.isNaN(number) ? "" : text("%.4f", number);
    }

    private static String text(String format, double number) {
        return String.format(Locale.ROOT, format, number);
    }
}
