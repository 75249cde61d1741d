package io.ontologia.store.object.internal;

import io.ontologia.core.spi.Storage;
import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.GetOptions;
import io.ontologia.objectstore.GetOutcome;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.StoredObject;
import io.ontologia.store.object.internal.layout.Head;
import io.ontologia.store.object.internal.layout.Keys;
import io.ontologia.store.object.internal.layout.Registry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows the newest view of a store. To ask whether there is a newer one costs one request while there is none, and two when
 * there is. Schemas only change what is stored together with a commit, so a head that did not move vouches for them.
 */
final class Views {
    private static final Logger LOG = LoggerFactory.getLogger(Views.class);

    private final ObjectStore store;
    private final Catalog catalog;
    private @Nullable View known;
    private volatile Duration clockAhead = Duration.ZERO;
    private boolean isFresh;
    private boolean isUntouched;
    private @Nullable Future<Registry> confirming;

    Views(ObjectStore store, Catalog catalog) {
        this.store = store;
        this.catalog = catalog;
    }

    /** The newest view. */
    View current() {
        confirm();
        View before = known();
        GetOptions options =
                before == null ? GetOptions.whole() : GetOptions.whole().ifNoneMatch(before.etag());
        GetOutcome outcome = store.get(Keys.HEAD, options);
        if (outcome instanceof GetOutcome.NotModified && before != null) {
            return before;
        }
        if (outcome instanceof GetOutcome.Found found) {
            return learn(found.object(), before);
        }
        throw missing();
    }

    /** The newest view, with types that were registered since its commit; read now. */
    View fresh() {
        synchronized (this) {
            isFresh = false;
        }
        catalog.forget();
        View view = current();
        return remember(new View(view.head(), view.etag(), catalog.asOf(view.head())), view);
    }

    /** What was read when the store was opened, for who opens it; once. Later the same as {@link #fresh}. */
    View atOpening() {
        synchronized (this) {
            if (isFresh && known != null) {
                isFresh = false;
                return known;
            }
        }
        return fresh();
    }

    private View learn(StoredObject object, @Nullable View before) {
        Head head = Head.parse(object.bytes());
        return remember(new View(head, object.etag(), catalog.refreshed(head)), before);
    }

    /** The view after a change that this process made. */
    View advance(Head head, ETag etag, Registry registry) {
        return remember(new View(head, etag, registry), null);
    }

    /** The view that was newest when it was last asked for. */
    synchronized Optional<View> lastKnown() {
        return Optional.ofNullable(known);
    }

    private synchronized @Nullable View known() {
        return known;
    }

    /**
     * A slow read must not put back an older view than one that is known by now. But what was read after the known one was
     * known is newer than that, even with a smaller number: the store began anew.
     *
     * @param before what was known when the reading began
     */
    private synchronized View remember(View view, @Nullable View before) {
        if (known == null
                || known.equals(before)
                || view.head().commitId() >= known.head().commitId()) {
            known = view;
        }
        return view;
    }

    /** Forgets everything, so that the next question is asked of the store. */
    synchronized void forget() {
        known = null;
        isFresh = false;
        isUntouched = false;
        confirming = null;
    }

    /**
     * Reads everything that a first read or commit needs, in one round trip, and creates the head of a store that has none.
     *
     * @param others what else to read meanwhile
     */
    void prime(ExecutorService threads, Clock clock, boolean mayCreate, List<Runnable> others) {
        AtomicReference<Optional<StoredObject>> reply = new AtomicReference<>(Optional.empty());
        List<Future<?>> reading = new ArrayList<>();
        reading.add(threads.submit(() -> reply.set(store.get(Keys.HEAD))));
        reading.add(threads.submit(catalog::preload));
        others.forEach(other -> reading.add(threads.submit(other)));
        Threads.join(reading);
        Optional<StoredObject> head = Objects.requireNonNull(reply.get());
        if (head.isEmpty() && mayCreate) {
            new Place(store).requireFree(threads);
            // All heads of empty stores are alike, so it does not matter which writer is first.
            store.putIfAbsent(
                    Keys.HEAD, Payload.of(Head.empty(clock.now(), "onto-init").bytes()));
            head = store.get(Keys.HEAD);
        }
        StoredObject found = head.orElseThrow(this::missing);
        compareClocks(found, clock);
        Head parsed = Head.parse(found.bytes());
        synchronized (this) {
            known = new View(parsed, found.etag(), catalog.asOf(parsed));
            isFresh = true;
            isUntouched = true;
            // The head vouches for no registry that was read before it; who acts by this view waits for the answer.
            confirming = threads.submit(() -> catalog.refreshed(parsed));
        }
    }

    private void compareClocks(StoredObject found, Clock clock) {
        Duration ahead = Duration.between(found.readAt(), clock.now());
        clockAhead = ahead;
        if (ahead.abs().compareTo(Storage.CLOCK_TOLERANCE) > 0) {
            LOG.atWarn()
                    .addKeyValue("store", store.location())
                    .addKeyValue("ahead_seconds", ahead.toSeconds())
                    .log("the clock of this process and that of the store differ: commits carry wrong times");
        }
    }

    /** How far the clock of this process was ahead of the store's when the store was opened. */
    Duration clockAhead() {
        return clockAhead;
    }

    /** Whether the registry of the view that was read at opening is the one that its head vouches for. */
    boolean isConfirmed(View primed) {
        confirm();
        View now = known();
        return now != null && now.registry().equals(primed.registry());
    }

    /** Takes over the registry that was read after the head. */
    private void confirm() {
        @Nullable Future<Registry> reading;
        @Nullable View primed;
        synchronized (this) {
            reading = confirming;
            primed = known;
            confirming = null;
        }
        if (reading == null || primed == null) {
            return;
        }
        Registry registry;
        try {
            registry = reading.get();
        } catch (ExecutionException e) {
            registry = catalog.refreshed(primed.head());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            registry = catalog.refreshed(primed.head());
        }
        synchronized (this) {
            if (primed.equals(known)) {
                known = new View(primed.head(), primed.etag(), registry);
            }
        }
    }

    /** Whether a commit may start from what was read when the store was opened; once. */
    synchronized boolean takePrimed() {
        boolean primed = isUntouched;
        isUntouched = false;
        return primed;
    }

    private OntologiaException missing() {
        return new OntologiaException(
                ErrorKind.NOT_FOUND,
                "cannot open " + store.location(),
                "there is no Ontologia store: " + Keys.HEAD + " is missing",
                "create it with 'onto init', or name another with --storage-uri");
    }
}
