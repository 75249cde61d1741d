package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.CommitResult;
import io.ontologia.core.Entity;
import io.ontologia.core.Key;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Relation;
import io.ontologia.core.Result;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * One writer that commits until it is told to stop: each time it reads its own counter, adds one, and writes that and rows
 * which others write too. It checks on the way that it sees what it wrote.
 *
 * <p>Runs in a thread, or by {@link #main} in a process of its own, which says {@code begin n}, {@code ack commit n} and
 * {@code busy n}, each line with a full stop at its end.
 */
public final class CommitLoop {
    /** How many parts each writer has; all of them get the number of the commit. */
    public static final int PARTS = 30;

    /** How many rows each commit writes: the counter, the parts, one entity and one relation that are shared. */
    public static final int ROWS = PARTS + 3;

    /** How long a lock lasts, in milliseconds; a setting of this class and of no backend. */
    public static final String LEASE_MS = "test_lease_ms";

    /** How long to wait for others, in milliseconds. */
    public static final String LOCK_TIMEOUT_MS = "test_lock_timeout_ms";

    /** By how many milliseconds the writer's clock is ahead; less than zero when it is behind. */
    public static final String CLOCK_AHEAD_MS = "test_clock_ahead_ms";

    /** {@code yes} for a writer that is stopped and continued: then its requests may fail in more ways, and it tries again. */
    public static final String STOPPED = "test_stopped";

    private static final String OURS = "test_";
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final int MOST_TRIES = 100;

    /** What one writer, or all of them, counted to. */
    public record Counter(@Key String id, String writer, long value) implements Entity {}

    /** Who counted last. */
    public record Last(String leftKey, String rightKey, String writer, long value)
            implements Relation<Counter, Counter> {}

    /** Hears of the writer's progress. */
    public interface Listener {
        /** It is about to commit. */
        void begin(long number);

        /** It was told that its commit was made. */
        void acknowledged(long commitId, long number);

        /** It has to try again; 0 when it has not opened the store yet. */
        void busy(long number);
    }

    private final String uri;
    private final Map<String, String> settings;
    private final String writer;
    private final Listener listener;

    /** A writer of some name on a store. */
    public CommitLoop(String uri, Map<String, String> settings, String writer, Listener listener) {
        this.uri = uri;
        this.settings = Map.copyOf(settings);
        this.writer = writer;
        this.listener = listener;
    }

    /** Locks of killed writers are over soon. */
    static SessionOptions options(Map<String, String> settings) {
        Map<String, String> ofBackend = new HashMap<>(settings);
        ofBackend.keySet().removeIf(name -> name.startsWith(OURS));
        StorageOptions storage = StorageOptions.defaults()
                .leaseTtl(millis(settings, LEASE_MS, LEASE))
                .settings(ofBackend);
        storage = storage.lockTimeout(millis(settings, LOCK_TIMEOUT_MS, storage.lockTimeout()));
        Duration ahead = millis(settings, CLOCK_AHEAD_MS, Duration.ZERO);
        return SessionOptions.defaults().storage(ahead.isZero() ? storage : storage.clock(new SkewedClock(ahead)));
    }

    private static Duration millis(Map<String, String> settings, String name, Duration otherwise) {
        String value = settings.get(name);
        return value == null ? otherwise : Duration.ofMillis(Long.parseLong(value));
    }

    /** A session on a store that such writers write to. */
    public static Session open(String uri, Map<String, String> settings) {
        return Ontologia.open(uri, options(settings), Counter.class, Last.class);
    }

    /** Commits as long as it is told to go on. */
    public void run(BooleanSupplier goOn) {
        try (Session session = openPatiently()) {
            long number = patiently(0, () -> ownCounter(session));
            requireWholeCommits(session, number);
            while (goOn.getAsBoolean()) {
                assertThat(patiently(number, () -> ownCounter(session)))
                        .as("what %s reads of its own", writer)
                        .isEqualTo(number);
                number++;
                ensure(session, number);
                listener.begin(number);
                OptionalLong commit = commit(session, number);
                if (commit.isPresent()) {
                    listener.acknowledged(commit.getAsLong(), number);
                }
                if (number % 8 == 0 && commit.isPresent()) {
                    assertThat(patiently(number, () -> sharedAsOf(session, commit.getAsLong())))
                            .isEqualTo(new Counter("shared", writer, number));
                }
            }
        }
    }

    private Session openPatiently() {
        return patiently(0, () -> open(uri, settings));
    }

    private void ensure(Session session, long number) {
        session.ensure(new Counter(writer, writer, number), new Counter("shared", writer, number));
        session.ensure(new Last("shared", "shared", writer, number));
        for (int part = 0; part < PARTS; part++) {
            session.ensure(new Counter(writer + "/" + part, writer, number));
        }
    }

    /** Commits; empty when it was stored and the reply was lost. */
    private OptionalLong commit(Session session, long number) {
        for (int tries = 1; ; tries++) {
            try {
                CommitResult result = session.commit(Map.of("writer", writer, "number", number));
                return OptionalLong.of(((CommitResult.Committed) result).commitId());
            } catch (OntologiaException e) {
                requirePassing(e, tries);
                listener.busy(number);
                if (settings.containsKey(STOPPED)) {
                    long stored = patiently(number, () -> ownCounter(session));
                    if (e.kind() == ErrorKind.UNKNOWN_OUTCOME && stored == number) {
                        session.discard();
                        return OptionalLong.empty();
                    }
                    assertThat(stored).as("after %s", e).isEqualTo(number - 1);
                }
            }
        }
    }

    private <T> T patiently(long number, Supplier<T> work) {
        for (int tries = 1; ; tries++) {
            try {
                return work.get();
            } catch (OntologiaException e) {
                requirePassing(e, tries);
                listener.busy(number);
            }
        }
    }

    private void requirePassing(OntologiaException e, int tries) {
        boolean passes = e.kind() == ErrorKind.BUSY
                || (settings.containsKey(STOPPED)
                        && (e.kind() == ErrorKind.CONFLICT
                                || e.kind() == ErrorKind.UNAVAILABLE
                                || e.kind() == ErrorKind.UNKNOWN_OUTCOME));
        if (!passes || (tries == MOST_TRIES && e.kind() != ErrorKind.BUSY)) {
            throw e;
        }
    }

    private long ownCounter(Session session) {
        return session.find(Counter.class, writer).map(Counter::value).orElse(0L);
    }

    private void requireWholeCommits(Session session, long number) {
        for (int part = 0; number > 0 && part < PARTS; part++) {
            assertThat(session.find(Counter.class, writer + "/" + part))
                    .contains(new Counter(writer + "/" + part, writer, number));
        }
    }

    private static Counter sharedAsOf(Session session, long commit) {
        List<Result<Counter>> found = session.entities(Counter.class)
                .where(io.ontologia.core.Fields.field(Counter::id).eq("shared"))
                .asOf(commit)
                .results();
        assertThat(found)
                .singleElement()
                .satisfies(result -> assertThat(result.commitId()).isEqualTo(commit));
        return found.get(0).value();
    }

    /** Runs until its input is closed. Arguments: the store's URI, the writer's name, then names and values of settings. */
    public static void main(String[] arguments) {
        Listener toOutput = new Listener() {
            @Override
            public void begin(long number) {
                say("begin " + number);
            }

            @Override
            public void acknowledged(long commitId, long number) {
                say("ack " + commitId + " " + number);
            }

            @Override
            public void busy(long number) {
                say("busy " + number);
            }
        };
        Thread stop = new Thread(CommitLoop::readToEnd, "stop");
        stop.setDaemon(true);
        stop.start();
        Map<String, String> settings = new HashMap<>();
        for (int i = 2; i < arguments.length; i += 2) {
            settings.put(arguments[i], arguments[i + 1]);
        }
        new CommitLoop(arguments[0], settings, arguments[1], toOutput).run(stop::isAlive);
    }

    private static void say(String line) {
        System.out.println(line + " .");
        System.out.flush();
    }

    private static void readToEnd() {
        try {
            System.in.readAllBytes();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
