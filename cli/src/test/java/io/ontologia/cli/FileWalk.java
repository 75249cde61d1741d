package io.ontologia.cli;

import io.ontologia.kernel.Clock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.LockSupport;

/**
 * A walk through the console and the server, in a process of its own. It watches a folder while the commands run and prints every file
 * and folder that it sees, with its mode.
 */
final class FileWalk {
    private final Path root;
    private final Map<String, String> environment = new HashMap<>(System.getenv());
    private final Map<String, String> seen = new ConcurrentSkipListMap<>();
    private volatile boolean done;

    private FileWalk(Path root) {
        this.root = root;
        environment.put("ONTOLOGIA_DB", root.resolve("db/onto.db").toString());
        environment.put("ONTOLOGIA_CONFIG", root.resolve("input/onto.yaml").toString());
        environment.put("ONTOLOGIA_NAMESERVICE_URI", "file://" + root.resolve("names"));
    }

    /**
     * Runs the commands.
     *
     * @param args the folder, in which {@code input} has the files that the commands read, and {@code db} is empty
     */
    public static void main(String[] args) throws Exception {
        FileWalk walk = new FileWalk(Path.of(args[0]));
        Thread watcher = new Thread(() -> {
            while (!walk.done) {
                walk.look();
                // Leaves the processor to the commands.
                LockSupport.parkNanos(10_000_000);
            }
        });
        watcher.start();
        try {
            walk.console();
            walk.server();
        } finally {
            walk.done = true;
            watcher.join();
        }
        walk.seen.forEach((path, mode) -> System.out.println(mode + " " + path));
    }

    private void console() {
        String store = "file://" + root.resolve("store");
        String bucket = "s3://walk/store";
        String models = root.resolve("input/models.yaml").toString();
        String january = root.resolve("input/january.jsonl").toString();
        String february = root.resolve("input/february.jsonl").toString();
        onto("import", "--input", january, "--models", models, "--apply", "--on-conflict", "upsert");
        onto("export", "--output", root.resolve("export").toString());
        onto(
                "schema",
                "export",
                "--models",
                models,
                "--output",
                root.resolve("schema.json").toString());
        onto("demo", "--keep", root.resolve("tour").toString());
        onto("copy", "sqlite:///" + root.resolve("db/onto.db"), bucket);
        onto(
                "import",
                "--input",
                february,
                "--models",
                models,
                "--apply",
                "--on-conflict",
                "upsert",
                "--storage-uri",
                bucket);
        onto("query", "entities", "Customer", "--as-of", "1", "--storage-uri", bucket);
        onto("compact", "--apply", "--storage-uri", bucket);
        onto("copy", bucket, store);
        onto("query", "entities", "Customer", "--storage-uri", store);
        onto("ns", "create", "shop");
        onto("ns", "push", "shop", "config", "--payload", "{\"password\":\"hidden\"}");
        onto("ns", "export", "--output", root.resolve("records.jsonl").toString());
    }

    private void server() throws IOException, InterruptedException {
        Path token = root.resolve("config/names.token");
        PipedInputStream said = new PipedInputStream();
        PrintStream out = new PrintStream(new PipedOutputStream(said), true, StandardCharsets.UTF_8);
        Onto serving = new Onto(environment, InputStream.nullInputStream(), out, System.err, Clock.system());
        Thread server = new Thread(() -> {
            serving.run("ns", "serve", "--port", "0", "--token-file", token.toString());
            out.close();
        });
        server.start();
        String line = new BufferedReader(new InputStreamReader(said, StandardCharsets.UTF_8)).readLine();
        environment.put("ONTOLOGIA_NAMESERVICE_TOKEN", Files.readString(token).strip());
        String http = line.substring(line.indexOf("http://"));
        onto("ns", "create", "more", "--ns", http);
        onto("ns", "push", "more", "head", "--payload", "{\"address\":\"x\",\"t\":1}", "--ns", http);
        server.interrupt();
        server.join();
    }

    private void onto(String... args) {
        PrintStream none = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        int code = new Onto(environment, InputStream.nullInputStream(), none, System.err, Clock.system()).run(args);
        if (code != 0) {
            throw new IllegalStateException(String.join(" ", args) + " exits with " + code);
        }
        look();
    }

    private void look() {
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    return note(folder, "/");
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    return note(file, "");
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException e) {
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(
                        Path folder, @org.jspecify.annotations.Nullable IOException e) {
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private FileVisitResult note(Path path, String suffix) {
        try {
            seen.put(
                    root.relativize(path) + suffix, PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
        } catch (IOException e) {
            // It is gone already.
            return FileVisitResult.CONTINUE;
        }
        return FileVisitResult.CONTINUE;
    }
}
