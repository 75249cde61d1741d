package io.ontologia.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.testkit.S3Server;
import io.ontologia.testkit.S3TestServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which users can read the files that the console and the server create, as {@code docs/reference/files.md} says. */
class FileModesIT {
    private static final Path TABLE =
            Path.of(System.getProperty("basedir", "."), "..", "docs", "reference", "files.md");
    private static final Pattern ROW = Pattern.compile("\\| `([^`]+)` \\| (\\w+) \\|.*");
    private static final Pattern SEEN = Pattern.compile("([rwx-]{9}) (.*)");
    private static final List<String> INPUT = List.of("", "input", "db", "tmp", "cache");

    @TempDir
    private Path folder;

    @Test
    void the_modes_of_all_files_are_those_of_the_table() throws Exception {
        Map<String, String> table = table();
        Map<String, String> seen = walk();
        List<String> wrong = new ArrayList<>();
        Set<String> used = new TreeSet<>();

        seen.forEach((path, mode) -> {
            Optional<Map.Entry<String, String>> row = table.entrySet().stream()
                    .filter(one -> matches(one.getKey(), path))
                    .findFirst();
            if (row.isEmpty()) {
                wrong.add(path + " is in no row of the table");
                return;
            }
            used.add(row.get().getKey());
            String wanted = row.get().getValue();
            if (!isAs(wanted, path, mode, seen)) {
                wrong.add(path + " has " + mode + ", and the table says " + wanted);
            }
        });

        assertThat(wrong).isEmpty();
        // Files of a moment are seen or not; everything else of the table is there.
        assertThat(used)
                .containsAll(table.keySet().stream()
                        .filter(pattern -> !pattern.startsWith("TMP/") && !pattern.contains("spill"))
                        .filter(pattern -> !pattern.matches("CACHE/outgoing/.+|DB-.*|.*\\.part"))
                        .toList());
    }

    /** The pattern and the mode of each row. */
    private static Map<String, String> table() throws IOException {
        Map<String, String> table = new LinkedHashMap<>();
        for (String line : Files.readAllLines(TABLE)) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                table.put(row.group(1), row.group(2));
            }
        }
        return table;
    }

    private static boolean matches(String pattern, String path) {
        String glob = pattern.replace("CACHE", "cache")
                .replace("NAMES", "names")
                .replace("STORE", "store")
                .replace("DB", "db/onto.db")
                .replace("TMP", "tmp")
                .replace("OUTPUT", "{export,schema.json,tour}")
                .replace("RECORDS", "records.jsonl")
                .replace("TOKEN", "config/names.token")
                .replaceAll("/$", "");
        PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + glob);
        boolean sameKind = pattern.endsWith("/") == path.endsWith("/") || pattern.endsWith("**");
        return sameKind && matcher.matches(Path.of(path));
    }

    /** The walk runs with the umask 000, so that only modes that are set on purpose keep others out. */
    private static boolean isAs(String wanted, String path, String mode, Map<String, String> seen) {
        boolean isFolder = path.endsWith("/");
        return switch (wanted) {
            case "private" -> mode.equals(isFolder ? "rwx------" : "rw-------");
            case "umask" -> mode.matches(isFolder ? "rwxrwxrwx" : "rw[x-]r[w-]-r[w-]-");
            case "inside" -> isInPrivateFolder(path, seen);
            default -> throw new IllegalArgumentException(wanted);
        };
    }

    private static boolean isInPrivateFolder(String path, Map<String, String> seen) {
        for (Path parent = Path.of(path).getParent(); parent != null; parent = parent.getParent()) {
            if ("rwx------".equals(seen.get(parent + "/"))) {
                return true;
            }
        }
        return false;
    }

    private Map<String, String> walk() throws IOException, InterruptedException {
        for (String name : INPUT) {
            Files.createDirectories(folder.resolve(name));
        }
        for (String name : List.of("models.yaml", "january.jsonl")) {
            try (var resource = Onto.class.getResourceAsStream("internal/demo/" + name)) {
                Files.copy(resource, folder.resolve("input").resolve(name));
            }
        }
        String customer =
                Files.readAllLines(folder.resolve("input/january.jsonl")).get(0);
        Files.writeString(folder.resolve("input/february.jsonl"), customer.replace("Acme", "Acme & Sons"));
        try (S3TestServer s3 = S3Server.start()) {
            s3.createBucket("walk");
            Files.writeString(
                    folder.resolve("input/onto.yaml"),
                    "cache_dir: " + folder.resolve("cache") + "\ns3_region: us-east-1\ns3_endpoint_url: "
                            + s3.endpoint() + "\n");
            return walk(s3);
        }
    }

    private Map<String, String> walk(S3TestServer s3) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                "/bin/sh",
                "-c",
                "umask 000; exec \"$@\"",
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + folder.resolve("tmp"),
                "-cp",
                System.getProperty("java.class.path"),
                FileWalk.class.getName(),
                folder.toString());
        builder.environment().clear();
        builder.environment().putAll(s3.environment());
        Path errors = Files.createTempFile("walk", ".err");
        builder.redirectError(errors.toFile());
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String said = Files.readString(errors);
        Files.delete(errors);
        assertThat(process.waitFor()).as(said).isZero();
        Map<String, String> seen = new TreeMap<>();
        for (String line : out.lines().toList()) {
            Matcher file = SEEN.matcher(line);
            assertThat(file.matches()).as(line).isTrue();
            String path = file.group(2);
            if (!INPUT.contains(path.replaceAll("/$", "")) && !path.startsWith("input/") && !path.equals("config/")) {
                seen.put(path, file.group(1));
            }
        }
        return seen;
    }
}
