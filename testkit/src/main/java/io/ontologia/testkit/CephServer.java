package io.ontologia.testkit;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.Retry;
import io.ontologia.kernel.RetryPolicy;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Ceph's RADOS gateway with a whole cluster behind it, one process of each kind: a monitor, a storage daemon that keeps
 * everything in memory, the gateway. All of them listen on free ports of the loopback interface, live in a temporary
 * folder, and end with {@link #close()}, or with this process at the latest.
 *
 * <p>The programs come from the packages {@code ceph-mon ceph-osd radosgw ceph-common} of Debian. This version of the
 * gateway deletes whatever the condition says, and answers some losers of a race with HTTP 500.
 */
public final class CephServer implements S3TestServer {
    private static final List<String> PROGRAMS =
            List.of("monmaptool", "ceph-mon", "ceph", "ceph-osd", "radosgw-admin", "radosgw");
    private static final Duration STEP_LIMIT = Duration.ofMinutes(2);

    private final Path dir;
    private final Deque<Process> daemons = new ArrayDeque<>();
    private final Thread atExit = new Thread(this::stop);
    private final int port;

    private CephServer(Path dir, int port) {
        this.dir = dir;
        this.port = port;
    }

    /** The programs that it needs and that this machine lacks; empty when it can be started. */
    public static List<String> missingPrograms() {
        String[] folders = System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1);
        return PROGRAMS.stream()
                .filter(program -> Arrays.stream(folders)
                        .noneMatch(folder -> Files.isExecutable(Path.of(folder).resolve(program))))
                .toList();
    }

    /** Starts a cluster and waits until it answers; this takes some ten seconds. */
    public static CephServer start() {
        try {
            CephServer server = new CephServer(Files.createTempDirectory("ceph"), freePort());
            Runtime.getRuntime().addShutdownHook(server.atExit);
            try {
                server.startAll(S3TestCredentials.ofThisProcess());
            } catch (IOException | RuntimeException e) {
                server.close();
                throw e;
            }
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException("Ceph does not start", e);
        }
    }

    private void startAll(S3TestCredentials credentials) throws IOException {
        UUID cluster = UUID.randomUUID();
        UUID osd = UUID.randomUUID();
        String monitor = "[v2:127.0.0.1:" + freePort() + "]";
        for (String folder : List.of("mon", "osd", "rgw", "run")) {
            Files.createDirectory(dir.resolve(folder));
        }
        Files.writeString(dir.resolve("ceph.conf"), configuration(cluster, monitor));

        run("monmaptool", "--create", "--fsid", cluster.toString(), "--addv", "a", monitor, "monmap");
        run("ceph-mon", "--mkfs", "-i", "a", "--monmap", "monmap");
        startDaemon("ceph-mon", "-i", "a");
        run("ceph", "osd", "new", osd.toString(), "0");
        run("ceph-osd", "-i", "0", "--mkfs", "--osd-uuid", osd.toString());
        startDaemon("ceph-osd", "-i", "0");
        run(
                "radosgw-admin",
                "-n",
                "client.rgw",
                "user",
                "create",
                "--uid=test",
                "--display-name=test",
                "--access-key=" + credentials.accessKey(),
                "--secret-key=" + credentials.secretKey());
        startDaemon("radosgw", "-n", "client.rgw");
        waitUntilItListens();
    }

    private String configuration(UUID cluster, String monitor) {
        return """
                [global]
                fsid = %1$s
                mon host = %2$s
                auth cluster required = none
                auth service required = none
                auth client required = none
                mon allow pool size one = true
                osd pool default size = 1
                osd pool default pg num = 8
                osd pool default pg autoscale mode = off
                osd crush chooseleaf type = 0
                public addr = 127.0.0.1
                cluster addr = 127.0.0.1
                run dir = %3$s/run
                log file = %3$s/$name.log
                mon data = %3$s/mon
                osd data = %3$s/osd
                osd objectstore = memstore
                memstore device bytes = 2147483648

                [client.rgw]
                rgw data = %3$s/rgw
                # Without tcp_nodelay every read waits 40 ms.
                rgw frontends = beast endpoint=127.0.0.1:%4$d tcp_nodelay=1
                # Its default is impossible without authentication, and the gateway would hang.
                ms mon client mode = crc secure
                """.formatted(cluster, monitor, dir, port);
    }

    private void run(String... command) throws IOException {
        Process process = launch(command);
        try {
            if (!process.waitFor(STEP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException(command[0] + " does not end: " + outputOf(command));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + command[0], e);
        } finally {
            process.destroyForcibly();
        }
        if (process.exitValue() != 0) {
            throw new IllegalStateException(command[0] + " failed: " + outputOf(command));
        }
    }

    private void startDaemon(String program, String... arguments) throws IOException {
        String[] command = Stream.of(List.of(program), List.of(arguments), List.of("-f"))
                .flatMap(List::stream)
                .toArray(String[]::new);
        daemons.push(launch(command));
    }

    private Process launch(String... command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(dir.toFile())
                .redirectErrorStream(true)
                .redirectOutput(dir.resolve(command[0] + ".out").toFile());
        builder.environment()
                .putAll(Map.of("CEPH_CONF", dir.resolve("ceph.conf").toString()));
        return builder.start();
    }

    private String outputOf(String... command) throws IOException {
        return Files.readString(dir.resolve(command[0] + ".out"));
    }

    private void waitUntilItListens() {
        Duration interval = Duration.ofMillis(100);
        new Retry(
                        new RetryPolicy(Integer.MAX_VALUE, interval, interval, STEP_LIMIT),
                        Clock.system(),
                        new SplittableRandom())
                .call(
                        () -> {
                            try (Socket socket = new Socket()) {
                                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                                return port;
                            } catch (IOException e) {
                                throw new UncheckedIOException("the gateway does not listen", e);
                            }
                        },
                        e -> daemons.stream().allMatch(Process::isAlive));
    }

    @Override
    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + port);
    }

    @Override
    public void close() {
        stop();
        Runtime.getRuntime().removeShutdownHook(atExit);
    }

    private synchronized void stop() {
        // Nothing that they hold outlives them, so they need not be asked; the storage daemon would take its time.
        daemons.forEach(Process::destroyForcibly);
        daemons.forEach(daemon -> daemon.onExit().join());
        daemons.clear();
        try (Stream<Path> files = Files.walk(dir)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + dir, e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
