package io.ontologia.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Runs every measurement and prints one table. */
public final class Bench {
    private Bench() {}

    /** Takes the part of the full size, 1 by default, and what to measure: {@code sqlite} (the default), {@code object}, {@code events},
     * {@code names}, {@code console}. */
    public static void main(String[] arguments) throws Exception {
        double scale = arguments.length > 0 ? Double.parseDouble(arguments[0]) : 1;
        Path folder = Files.createTempDirectory("ontologia-bench");
        Report report = new Report(scale);
        try {
            switch (arguments.length > 1 ? arguments[1] : "sqlite") {
                case "object" -> {
                    new CommitterMeasurements(folder, report).run();
                    new ObjectMeasurements(folder, scale, report).run();
                }
                case "events" -> new EventMeasurements(folder, scale, report).run();
                case "console" -> new ConsoleMeasurements(folder, report).run();
                case "names" -> new NameMeasurements(folder, scale, report).run();
                default -> {
                    new WriteMeasurements(folder, scale, report).run();
                    new ReadMeasurements(folder, scale, report).run();
                }
            }
        } finally {
            delete(folder);
        }
        report.print();
        if (!report.allReached()) {
            System.exit(1);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
