package io.ontologia.core;

import io.ontologia.core.internal.events.BridgeTurn;
import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.kernel.BackgroundRunner;
import io.ontologia.kernel.RandomIds;
import io.ontologia.kernel.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Feeds the commits of a store to another system: every one at least once, in their order, from the first on. How far it is
 * is kept in the store, under the bridge's name, after the other system has what was handed over.
 *
 * <p>Any number of processes may run a bridge of the same name. One of them has the turn and publishes; when it stops,
 * another goes on, and when it crashes, another goes on after the lease ({@code event_claim_lease_ms}) with what may be a few
 * commits again.
 *
 * <p>A bridge uses the store of the session that it was made with, so close it before that session. For one thread at a time.
 */
public final class Bridge implements Step, AutoCloseable {
    private static final int MOST_COMMITS = 100;
    private static final long MOST_CHANGES = 10_000;

    private final Storage storage;
    private final EventOptions options;
    private final ChangePublisher publisher;
    private final BridgeTurn turn;
    private @Nullable BackgroundRunner runner;

    private Bridge(Session session, String name, EventOptions options, ChangePublisher publisher) {
        StorageOptions opened = session.options().storage();
        this.storage = session.storage();
        this.options = options;
        this.publisher = publisher;
        this.turn = new BridgeTurn(storage.events(options), name, RandomIds.uuid(opened.random()), opened.clock());
    }

    /**
     * A bridge that does nothing until it is started or stepped.
     *
     * @param name the same for all processes that run it; another one begins with the first commit
     * @param options for the lease and the poll interval
     */
    public static Bridge of(Session session, String name, EventOptions options, ChangePublisher publisher) {
        return new Bridge(session, name, options, publisher);
    }

    /**
     * Publishes the next commits, at most 100 and about 10,000 changes, if it has or gets the turn.
     *
     * @return how long to wait before the next call
     * @throws RuntimeException what the publisher or the store throws; the same commits come again
     */
    @Override
    public Optional<Duration> step() {
        OptionalLong position = turn.position();
        if (position.isEmpty()) {
            return Optional.of(options.pollInterval());
        }
        List<CommittedChanges> next = after(position.getAsLong());
        if (next.isEmpty()) {
            return Optional.of(options.pollInterval());
        }
        publisher.publish(next);
        turn.moveTo(next.get(next.size() - 1).commit().id());
        return Optional.of(Duration.ZERO);
    }

    private List<CommittedChanges> after(long position) {
        List<CommittedChanges> next = new ArrayList<>();
        long changes = 0;
        long end = Math.min(storage.head(), position + MOST_COMMITS);
        for (long id = position + 1; id <= end && changes < MOST_CHANGES; id++) {
            Optional<CommitInfo> commit = storage.commit(id);
            if (commit.isEmpty()) {
                break;
            }
            try (Stream<Change> rows = storage.changes(id)) {
                next.add(new CommittedChanges(commit.get(), rows.toList()));
            }
            changes += commit.get().operations();
        }
        return next;
    }

    /**
     * Steps on a daemon thread of its own until it is closed. What fails is tried again after the poll interval.
     *
     * @param onFailure told of what failed, on that thread; must not throw
     * @return this
     */
    public Bridge start(Consumer<? super RuntimeException> onFailure) {
        runner = BackgroundRunner.start(
                "ontologia-bridge",
                () -> {
                    try {
                        return step();
                    } catch (RuntimeException e) {
                        onFailure.accept(e);
                        return Optional.of(options.pollInterval());
                    }
                },
                onFailure);
        return this;
    }

    /** Stops after the step that runs, and gives the turn away. Idempotent. */
    @Override
    public void close() {
        if (runner != null) {
            runner.close();
        }
        turn.giveAway();
    }
}
