package io.ontologia.bench;

import io.ontologia.testkit.S3Server;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Processor time of a console query of one row, from the start of the process to its end. What a process uses does not depend
 * on how long it has to wait, so it is the median of few runs.
 */
final class ConsoleMeasurements {
    private static final int RUNS = 7;
    private static final String QUERY = "query entities Customer --where \"id = 'birch'\" --storage-uri ";
    private static final Pattern MINUTES_AND_SECONDS = Pattern.compile("(\\d+)m([\\d.]+)s");

    private final Path folder;
    private final Report report;

    ConsoleMeasurements(Path folder, Report report) {
        this.folder = folder;
        this.report = report;
    }

    void run() throws Exception {
        String store = "file://" + folder.resolve("store");
        String tour = folder.resolve("tour").toString();
        run("./onto demo --keep '" + tour + "'", Map.of());
        run("./onto copy 'sqlite:///" + tour + "/onto.db' " + store, Map.of());
        report.within(
                "console: one row of a SQLite file, CPU",
                cpu(QUERY + "'sqlite:///" + tour + "/onto.db'", Map.of()),
                0.7);
        report.within("console: one row of a store in a folder, CPU", cpu(QUERY + store, Map.of()), 0.9);
        try (S3Server server = S3Server.start()) {
            server.createBucket("bucket");
            Map<String, String> environment = new java.util.HashMap<>(server.environment());
            environment.put("AWS_ENDPOINT_URL", server.endpoint().toString());
            environment.put("AWS_REGION", "us-east-1");
            run("./onto copy " + store + " s3://bucket/store", environment);
            report.within("console: one row of a store on S3, CPU", cpu(QUERY + "s3://bucket/store", environment), 1.4);
        }
    }

    /** The median of what the processes used, in seconds. */
    private double cpu(String command, Map<String, String> environment) throws Exception {
        double[] seconds = new double[RUNS];
        for (int i = 0; i < RUNS; i++) {
            // The shell prints what it used itself, then what its children used.
            List<String> lines = run("./onto " + command + " >&2 && times", environment)
                    .lines()
                    .toList();
            seconds[i] = seconds(lines.get(lines.size() - 1));
        }
        Arrays.sort(seconds);
        return seconds[RUNS / 2];
    }

    private static double seconds(String times) {
        Matcher matcher = MINUTES_AND_SECONDS.matcher(times);
        return matcher.results().mapToDouble(ConsoleMeasurements::seconds).sum();
    }

    private static double seconds(MatchResult one) {
        return 60 * Double.parseDouble(one.group(1)) + Double.parseDouble(one.group(2));
    }

    private String run(String command, Map<String, String> more) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", command)
                .redirectError(folder.resolve("console.log").toFile());
        builder.environment().put("ONTOLOGIA_CACHE_DIR", folder.resolve("cache").toString());
        builder.environment().putAll(more);
        Process process = builder.start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(
                    command + ": " + java.nio.file.Files.readString(folder.resolve("console.log")));
        }
        return out;
    }
}
