package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.CommitResult;
import io.ontologia.core.Finding;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Progress;
import io.ontologia.core.Session;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.testkit.CommitLoop.Counter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Two sessions of one process that commit while the disk of their store is filled and freed. Each commit writes the next
 * number to some rows; what a session reads must be the last number that was acknowledged, or one whose outcome it could not
 * be told.
 */
public final class FullDisk {
    private static final int LARGEST = 200;

    private final String uri;
    private final Path filler;
    private final Map<String, String> settings;
    private final RandomGenerator random;
    private final List<Long> possible = new ArrayList<>(List.of(0L));
    private long number;
    private long acknowledged;
    private int failures;

    private FullDisk(String uri, Path disk, Map<String, String> settings, RandomGenerator random) {
        this.uri = uri;
        this.filler = disk.resolve("filler");
        this.settings = settings;
        this.random = random;
    }

    /** Arguments: the store's URI, the folder of the disk, the cache's folder, the seed, how many rounds. */
    public static void main(String[] arguments) throws IOException {
        FullDisk test = new FullDisk(
                arguments[0],
                Path.of(arguments[1]),
                Map.of("cache_dir", arguments[2]),
                new SplittableRandom(Long.parseLong(arguments[3])));
        test.run(Integer.parseInt(arguments[4]));
        System.out.printf("%d commits acknowledged, %d failed on a full disk%n", test.acknowledged, test.failures);
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    private void run(int rounds) throws IOException {
        try (Session first = CommitLoop.open(uri, settings);
                Session second = CommitLoop.open(uri, settings)) {
            List<Session> sessions = List.of(first, second);
            for (int round = 0; round < rounds; round++) {
                for (int i = random.nextInt(1, 4); i > 0; i--) {
                    commit(anyOf(sessions));
                }
                fill();
                commitUntilItFails(sessions);
                sessions.forEach(this::readWhileFull);
                Files.delete(filler);
                // The very next commits succeed, in the session that failed and in the other one.
                commit(anyOf(sessions));
                sessions.forEach(this::commit);
                sessions.forEach(session -> assertThat(read(session)).isEqualTo(number));
            }
        }
        try (Maintenance maintenance = Ontologia.maintain(uri, CommitLoop.options(settings))) {
            assertThat(maintenance.check(Progress.none()))
                    .allMatch(finding -> finding.severity() == Finding.Severity.INFO);
        }
        try (Session session = CommitLoop.open(uri, settings)) {
            assertThat(read(session)).isEqualTo(number);
        }
    }

    private Session anyOf(List<Session> sessions) {
        return sessions.get(random.nextInt(sessions.size()));
    }

    private void commit(Session session) {
        int rows = random.nextInt(1, LARGEST);
        number++;
        session.ensure(new Counter("shared", "x".repeat(random.nextInt(200)), number));
        for (int row = 0; row < rows; row++) {
            session.ensure(new Counter("row" + row, "x".repeat(random.nextInt(200)), number));
        }
        try {
            assertThat(session.commit()).isInstanceOf(CommitResult.Committed.class);
            possible.clear();
            acknowledged++;
        } finally {
            possible.add(number);
        }
    }

    /** Fills the disk, and leaves a little room, so that a commit gets a different distance each time. */
    private void fill() throws IOException {
        byte[] block = new byte[4096];
        try (OutputStream out = Files.newOutputStream(filler)) {
            while (true) {
                out.write(block);
            }
        } catch (IOException full) {
            long size = Files.size(filler);
            long left = random.nextInt(64) * 4096L;
            try (var channel = java.nio.channels.FileChannel.open(filler, java.nio.file.StandardOpenOption.WRITE)) {
                channel.truncate(Math.max(0, size - left));
            }
        }
    }

    private void commitUntilItFails(List<Session> sessions) {
        for (int i = 0; i < 1000; i++) {
            Session session = anyOf(sessions);
            try {
                commit(session);
            } catch (OntologiaException e) {
                assertThat(e.kind()).as("%s", e).isIn(ErrorKind.UNAVAILABLE, ErrorKind.UNKNOWN_OUTCOME);
                failures++;
                session.discard();
                if (e.kind() == ErrorKind.UNAVAILABLE) {
                    possible.remove(number);
                }
                return;
            }
        }
        throw new AssertionError("the disk does not get full");
    }

    /** An answer is right, or it is an error. */
    private void readWhileFull(Session session) {
        try {
            assertThat(possible).contains(read(session));
        } catch (OntologiaException e) {
            assertThat(e.kind()).as("%s", e).isEqualTo(ErrorKind.UNAVAILABLE);
        }
    }

    private static long read(Session session) {
        return session.find(Counter.class, "shared").map(Counter::value).orElse(0L);
    }
}
