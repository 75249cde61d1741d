package io.ontologia.nameservice;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * One subscriber's events: first a {@link NameEvent.Snapshot} of every record that matches, then {@link NameEvent.Live}, then what
 * happens. Nothing between snapshot and news is missed or told twice: a watermark that was told is never told again, and per concern
 * watermarks only rise.
 *
 * <p>The news are bounded; snapshots are not, for each record has one at most. When there are too many news, all that waits is
 * dropped, and the next events are {@link NameEvent.Resync} and snapshots anew.
 *
 * <p>One thread takes events; any thread may close.
 */
public final class Subscription implements AutoCloseable {
    private final NameFilter filter;
    private final int capacity;
    private final Subscriptions source;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Queue<NameEvent> queue = new ArrayDeque<>();
    /** What came while the snapshot was being read. */
    private final List<Consumer<Subscription>> pending = new ArrayList<>();

    private final Map<Alias, Told> told = new HashMap<>();
    private Phase phase = Phase.STARTING;
    /** How many events in the queue are neither of a snapshot nor about one. */
    private int waitingNews;

    private enum Phase {
        STARTING,
        LIVE,
        OVERFLOWN,
        CLOSED
    }

    /** What the subscriber was told of a record. */
    private record Told(
            EntityType type, Instant createdAt, Optional<RecordIdentity> identity, Map<Concern, Long> watermarks) {
        static Told of(NameRecord record) {
            Map<Concern, Long> watermarks = new EnumMap<>(Concern.class);
            for (Concern concern : Concern.values()) {
                watermarks.put(concern, record.concern(concern).watermark());
            }
            return new Told(record.type(), record.createdAt(), record.identity(), watermarks);
        }

        boolean isOtherThan(NameRecord record) {
            boolean another = identity.isPresent()
                    && record.identity()
                            .filter(now -> !now.matches(identity.get()))
                            .isPresent();
            return another
                    || !createdAt.equals(record.createdAt())
                    || watermarks.entrySet().stream()
                            .anyMatch(e -> record.concern(e.getKey()).watermark() < e.getValue() && isReset(record));
        }

        /** A record that was read late has lower watermarks in places; one that was made anew has its first status again. */
        private static boolean isReset(NameRecord record) {
            return record.watermarks().equals(new Watermarks(0, 0, 1, 0));
        }
    }

    Subscription(Subscriptions source, NameFilter filter, int capacity) {
        this.source = source;
        this.filter = filter;
        this.capacity = capacity;
    }

    /** What it is about. */
    public NameFilter filter() {
        return filter;
    }

    /**
     * The next event, when there is one. Reads the nameservice when a snapshot is due.
     *
     * @return empty when there is none now
     */
    public Optional<NameEvent> poll() {
        return next(Duration.ZERO);
    }

    /**
     * Waits for the next event.
     *
     * @return empty when none came in time, or this was closed, or the thread was interrupted (its flag stays set)
     */
    public Optional<NameEvent> next(Duration atMost) {
        if (startsOver()) {
            source.fill(this);
        }
        lock.lock();
        try {
            long nanos = atMost.toNanos();
            while (queue.isEmpty() && nanos > 0 && phase == Phase.LIVE) {
                nanos = changed.awaitNanos(nanos);
            }
            Optional<NameEvent> event = Optional.ofNullable(queue.poll());
            waitingNews -= event.filter(Subscription::isNews).isPresent() ? 1 : 0;
            return event;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /** Ends it. Idempotent. */
    @Override
    public void close() {
        source.remove(this);
        lock.lock();
        try {
            phase = Phase.CLOSED;
            drop();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The aliases that the subscriber was told of. */
    Set<Alias> known() {
        lock.lock();
        try {
            return new HashSet<>(told.keySet());
        } finally {
            lock.unlock();
        }
    }

    private boolean startsOver() {
        lock.lock();
        try {
            if (phase != Phase.OVERFLOWN) {
                return false;
            }
            phase = Phase.STARTING;
            told.clear();
            queue.add(new NameEvent.Resync());
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the start with what a read of the nameservice found. */
    void started(List<NameRecord> records) {
        lock.lock();
        try {
            if (phase != Phase.STARTING) {
                // Closed, or too much happened meanwhile: the next call starts over.
                return;
            }
            for (NameRecord record : records) {
                if (filter.wants(record.alias(), record.type()) && told.put(record.alias(), Told.of(record)) == null) {
                    queue.add(new NameEvent.Snapshot(record.redacted()));
                }
            }
            queue.add(new NameEvent.Live());
            phase = Phase.LIVE;
            List<Consumer<Subscription>> due = List.copyOf(pending);
            pending.clear();
            for (Consumer<Subscription> news : due) {
                if (phase == Phase.LIVE) {
                    news.accept(this);
                }
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The start failed: the next call tries again. */
    void interrupted() {
        lock.lock();
        try {
            overflow();
        } finally {
            lock.unlock();
        }
    }

    /** A record as it was seen: tells what moved since it was last told of. */
    void saw(NameRecord record) {
        news(self -> self.compare(record));
    }

    /**
     * As {@link #saw}, for a poll: nothing needs to wait for the end of the start.
     *
     * @return false when the record looks like another one of the same name. It may also be older than the
     *     last event of this subscription; a record that is read after this call, and given to {@link #saw}, decides.
     */
    boolean sawAgain(NameRecord record) {
        lock.lock();
        try {
            if (phase == Phase.LIVE) {
                Told last = told.get(record.alias());
                if (last != null && last.isOtherThan(record)) {
                    return false;
                }
                saw(record);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** A concern was pushed; returns false when the subscriber was never told of the record and wants to be. */
    boolean moved(Alias alias, EntityType type, Concern concern, ConcernValue value) {
        lock.lock();
        try {
            if (phase == Phase.LIVE && !told.containsKey(alias) && filter.wants(alias, type)) {
                return false;
            }
            news(self -> self.move(alias, type, concern, value));
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** A record was not found where it had been. */
    void gone(Alias alias) {
        news(self -> {
            Told last = told.remove(alias);
            if (last != null) {
                self.offer(new NameEvent.Purged(alias, last.type()));
            }
        });
    }

    private void news(Consumer<Subscription> event) {
        lock.lock();
        try {
            if (phase == Phase.STARTING) {
                pending.add(event);
                if (pending.size() > capacity) {
                    overflow();
                }
            } else if (phase == Phase.LIVE) {
                event.accept(this);
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    private void compare(NameRecord record) {
        if (!filter.wants(record.alias(), record.type())) {
            return;
        }
        Told last = told.get(record.alias());
        if (last != null && last.isOtherThan(record)) {
            offer(new NameEvent.Purged(record.alias(), last.type()));
            last = null;
        }
        if (last == null) {
            told.put(record.alias(), Told.of(record));
            offer(new NameEvent.Created(record.redacted()));
            return;
        }
        for (Concern concern : Concern.values()) {
            move(record.alias(), record.type(), concern, record.concern(concern));
        }
    }

    private void move(Alias alias, EntityType type, Concern concern, ConcernValue value) {
        Told last = told.get(alias);
        if (last == null
                || !filter.wants(alias, type)
                || last.watermarks().getOrDefault(concern, 0L) >= value.watermark()) {
            return;
        }
        last.watermarks().put(concern, value.watermark());
        if (filter.concerns().contains(concern)) {
            offer(new NameEvent.Moved(alias, type, concern, Redaction.of(concern, value)));
        }
    }

    private void offer(NameEvent event) {
        if (phase != Phase.LIVE) {
            return;
        }
        if (waitingNews >= capacity) {
            overflow();
        } else {
            queue.add(event);
            waitingNews++;
        }
    }

    private static boolean isNews(NameEvent event) {
        return event instanceof NameEvent.Created
                || event instanceof NameEvent.Moved
                || event instanceof NameEvent.Purged;
    }

    private void overflow() {
        if (phase != Phase.CLOSED) {
            drop();
            phase = Phase.OVERFLOWN;
            changed.signalAll();
        }
    }

    private void drop() {
        queue.clear();
        pending.clear();
        waitingNews = 0;
    }
}
