package io.ontologia.store.object.internal;

import io.ontologia.core.Event;
import io.ontologia.core.spi.Doorbells;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.RandomIds;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.GetOptions;
import io.ontologia.objectstore.GetOutcome;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import io.ontologia.store.object.internal.events.EventBus;
import io.ontologia.store.object.internal.events.EventObjects;
import io.ontologia.store.object.internal.layout.Head;
import io.ontologia.store.object.internal.layout.Keys;
import io.ontologia.store.object.internal.layout.Manifest;
import io.ontologia.store.object.internal.layout.OutboxMark;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Enqueues the events of commits. They are in the manifest, so they become real with the head and cannot be lost; whoever
 * made the commit enqueues them right after it, and when that fails, whoever polls next does. The mark says up to which
 * commit that is done. Safe for use by many threads, one works at a time.
 */
final class OutboxRelay implements EventBus.Outbox {
    private static final Logger LOG = LoggerFactory.getLogger(OutboxRelay.class);
    private static final int TRIES = 8;

    /** How far the mark may stay behind when no commit had events, which somebody has to walk through. */
    private static final long LONGEST_WALK = 64;

    private final ObjectStore store;
    private final Chain chain;
    private final EventObjects events;
    private final Doorbells bells;
    private final ExecutorService upkeep;
    private final RandomGenerator random;
    private @Nullable Marked mark;
    private @Nullable ETag headSeen;
    private long delivered = -1;

    private record Marked(OutboxMark mark, ETag etag) {}

    OutboxRelay(
            ObjectStore store,
            Chain chain,
            EventObjects events,
            Doorbells bells,
            ExecutorService upkeep,
            RandomGenerator random) {
        this.store = store;
        this.chain = chain;
        this.events = events;
        this.bells = bells;
        this.upkeep = upkeep;
        this.random = random;
    }

    /**
     * Makes sure that there is a mark, before a commit with events can become visible: where there is none, no commit has
     * any, and nobody needs to look.
     *
     * @throws OntologiaException of kind {@link ErrorKind#UNAVAILABLE} when there is still none
     */
    synchronized void prepare(Head base) {
        noticeNewBeginning(base);
        Marked present = mark == null ? readMark(base).orElseGet(() -> create(base)) : mark;
        if (delivered < 0) {
            delivered = present.mark().commitId();
        }
    }

    /** A store that began anew has neither the commits nor the mark that are known. */
    private void noticeNewBeginning(Head head) {
        if (head.commitId() < delivered) {
            mark = null;
            delivered = -1;
        }
    }

    /** Whoever comes first makes the mark. Where our write got lost, and nobody else's is there, nobody would look. */
    private Marked create(Head base) {
        store.putIfAbsent(OutboxMark.KEY, payload(base.commitId()));
        return readMark()
                .orElseThrow(() -> new OntologiaException(
                        ErrorKind.UNAVAILABLE,
                        "cannot commit with events",
                        "'" + OutboxMark.KEY
                                + "', without which nobody would look for them, was written and is not there",
                        "try again; nothing was stored"));
    }

    private Payload payload(long commitId) {
        return Payload.of(new OutboxMark(commitId, RandomIds.hex(random, 16)).bytes());
    }

    private Optional<Marked> readMark() {
        Optional<Marked> found =
                store.get(OutboxMark.KEY).map(object -> new Marked(OutboxMark.parse(object.bytes()), object.etag()));
        mark = found.orElse(null);
        return found;
    }

    /**
     * The mark as it counts at a head. A restored backup may have a mark of a later moment than its head. Its commits up to the
     * head were delivered; new ones would be left out up to the mark, so the mark is moved back to the head.
     */
    private Optional<Marked> readMark(Head known) {
        Optional<Marked> found = readMark();
        if (found.isEmpty() || found.get().mark().commitId() <= known.commitId()) {
            return found;
        }
        // A mark never moves beyond the head, so this is certain for a head that is read after it.
        Optional<Head> now = store.get(Keys.HEAD).map(object -> Head.parse(object.bytes()));
        if (now.isEmpty() || found.get().mark().commitId() <= now.get().commitId()) {
            return found;
        }
        store.putIfMatch(
                OutboxMark.KEY, payload(now.get().commitId()), found.get().etag());
        return readMark();
    }

    /** Enqueues the events of commits that this process just made. What fails now is done by whoever polls next. */
    synchronized void committed(List<Manifest> ours, Head head) {
        try {
            ours.forEach(this::enqueue);
        } catch (OntologiaException e) {
            LOG.atWarn().addKeyValue("reason", e.getMessage()).log("events of a commit not enqueued yet");
            return;
        }
        if (delivered == ours.get(0).parentId()) {
            delivered = head.commitId();
        }
        upkeep.execute(() -> catchUp(head));
    }

    private void enqueue(Manifest manifest) {
        events.ensure(manifest.events());
        manifest.events().stream().map(Event::namespace).distinct().forEach(bells::ring);
    }

    /** Moves the mark; before that, sees to commits that others made since it was moved last. */
    private synchronized void catchUp(Head head) {
        try {
            advance(head);
            save();
        } catch (OntologiaException e) {
            LOG.atDebug().addKeyValue("reason", e.getMessage()).log("outbox mark not moved");
        }
    }

    @Override
    public synchronized void deliver() {
        GetOptions options =
                headSeen == null ? GetOptions.whole() : GetOptions.whole().ifNoneMatch(headSeen);
        if (!(store.get(Keys.HEAD, options) instanceof GetOutcome.Found found)) {
            return;
        }
        Head head = Head.parse(found.object().bytes());
        noticeNewBeginning(head);
        if (delivered < 0) {
            // The mark is asked for after the head: if there is none now, no commit up to this head has events.
            delivered = readMark(head).map(marked -> marked.mark().commitId()).orElse(head.commitId());
        }
        if (advance(head) || isFarBehind()) {
            catchUp(head);
        }
        headSeen = found.object().etag();
    }

    private boolean isFarBehind() {
        return mark != null && delivered - mark.mark().commitId() > LONGEST_WALK;
    }

    @Override
    public synchronized void settle() {
        deliver();
        save();
    }

    /**
     * Enqueues what is between the last delivered commit and a head.
     *
     * @return whether there was anything
     */
    private boolean advance(Head head) {
        List<Manifest> pending = pending(head);
        if (!pending.isEmpty()) {
            // Perhaps others did it already: an event that was cleaned up since must not come back.
            delivered = Math.max(
                    delivered,
                    readMark().map(marked -> marked.mark().commitId()).orElse(0L));
            pending = pending(head);
        }
        pending.forEach(this::enqueue);
        delivered = Math.max(delivered, head.commitId());
        return !pending.isEmpty();
    }

    /** The commits with events that were not delivered yet, oldest first. */
    private List<Manifest> pending(Head head) {
        List<Manifest> pending = new ArrayList<>();
        if (head.commitId() > delivered) {
            for (Manifest manifest : chain.back(head)) {
                if (manifest.commitId() <= delivered) {
                    break;
                }
                if (!manifest.events().isEmpty()) {
                    pending.add(manifest);
                }
            }
        }
        Collections.reverse(pending);
        return pending;
    }

    /** The events of commits up to a head that may not have been enqueued yet. Changes nothing. */
    List<Event> owed(Head head) {
        Optional<Long> done = store.get(OutboxMark.KEY)
                .map(object -> OutboxMark.parse(object.bytes()).commitId());
        return done.isEmpty()
                ? List.of()
                : chain.since(head, done.get()).stream()
                        .flatMap(manifest -> manifest.events().stream())
                        .toList();
    }

    private void save() {
        for (int i = 0; i < TRIES; i++) {
            Marked present = mark == null ? readMark().orElse(null) : mark;
            if (present == null || present.mark().commitId() >= delivered) {
                return;
            }
            OutboxMark next = new OutboxMark(delivered, RandomIds.hex(random, 16));
            PutOutcome outcome = store.putIfMatch(OutboxMark.KEY, Payload.of(next.bytes()), present.etag());
            if (outcome instanceof PutOutcome.Written written) {
                mark = new Marked(next, written.etag());
                return;
            }
            mark = null;
        }
        throw new OntologiaException(
                ErrorKind.BUSY,
                "cannot move the outbox mark",
                "others kept moving it",
                "try again; nothing was removed");
    }
}
