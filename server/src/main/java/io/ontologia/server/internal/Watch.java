package io.ontologia.server.internal;

import io.ontologia.nameservice.NameEvent;
import io.ontologia.nameservice.NameFilter;
import io.ontologia.nameservice.Subscription;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One watcher's subscription, which outlives his connections: what was sent lately is kept, so that he can go on where his last
 * connection broke off. One connection at a time; a new one ends the one before.
 */
final class Watch {
    /** How many events that were sent are kept. */
    private static final int KEPT = 1024;
    /** How many characters they have at most; the last event is kept whatever its size. */
    private static final long KEPT_CHARACTERS = 4L << 20;
    /** What {@link #attach} gives when the watch was closed: a connection that never is the current one. */
    static final long NONE = -1;

    private final String id;
    private final NameFilter filter;
    private final Subscription subscription;
    private final AtomicLong connections = new AtomicLong();
    private final ReentrantLock taking = new ReentrantLock();
    private final Deque<Sent> kept = new ArrayDeque<>();
    private long last;
    private long detachedAt;
    private boolean attached;
    private long characters;
    private boolean closed;

    /** An event and its place in this watch. */
    record Sent(long number, String text) {}

    /** @param now from when on it may be abandoned */
    Watch(String id, NameFilter filter, Subscription subscription, long now) {
        this.id = id;
        this.filter = filter;
        this.subscription = subscription;
        this.detachedAt = now;
    }

    String id() {
        return id;
    }

    NameFilter filter() {
        return filter;
    }

    /** Starts a connection; the one before gets nothing more. {@link #NONE} when the watch was closed. */
    synchronized long attach() {
        if (closed) {
            return NONE;
        }
        attached = true;
        return connections.incrementAndGet();
    }

    /** Ends a connection, unless another one has taken over. */
    synchronized void detach(long connection, long now) {
        if (connections.get() == connection) {
            attached = false;
            detachedAt = now;
        }
    }

    /** Closes it when nobody has been connected for a while; nobody can connect in between. */
    synchronized boolean closeIfAbandoned(long now, Duration linger) {
        boolean abandoned = !attached && now - detachedAt > linger.toNanos();
        if (abandoned) {
            close();
        }
        return abandoned;
    }

    /** Whether everything after a number can still be sent. */
    synchronized boolean canGoOnAfter(long number) {
        return number <= last
                && (kept.isEmpty() ? number == last : number >= kept.getFirst().number() - 1);
    }

    /** What was sent after a number, to somebody who may not have got it. */
    synchronized List<Sent> after(long number) {
        return kept.stream().filter(sent -> sent.number() > number).toList();
    }

    /** Waits for an event, at most so long, and keeps it; {@link #after} gives it. */
    void next(long connection, Duration atMost) {
        // The connection before this one may still be waiting: two that take at once would mix up the order.
        taking.lock();
        try {
            if (isCurrent(connection)) {
                subscription.next(atMost).ifPresent(this::keep);
            }
        } finally {
            taking.unlock();
        }
    }

    boolean isCurrent(long connection) {
        return connections.get() == connection;
    }

    synchronized void close() {
        closed = true;
        connections.incrementAndGet();
        subscription.close();
    }

    /** Puts an event behind those that were sent. */
    synchronized void keep(NameEvent event) {
        last++;
        Sent sent = new Sent(last, EventJson.write(id + "." + last, event));
        kept.addLast(sent);
        characters += sent.text().length();
        while (kept.size() > 1 && (kept.size() > KEPT || characters > KEPT_CHARACTERS)) {
            characters -= kept.removeFirst().text().length();
        }
    }
}
