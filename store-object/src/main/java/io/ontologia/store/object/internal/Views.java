package io.ontologia.store.object.internal;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.GetOptions;
import io.ontologia.objectstore.GetOutcome;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.StoredObject;
import io.ontologia.store.object.internal.layout.Head;
import io.ontologia.store.object.internal.layout.Keys;
import io.ontologia.store.object.internal.layout.Registry;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Knows the newest view of a store. To ask whether there is a newer one costs one request while there is none, and two when
 * there is. Schemas only change what is stored together with a commit, so a head that did not move vouches for them.
 */
final class Views {
    private final ObjectStore store;
    private final Catalog catalog;
    private @Nullable View known;

    Views(ObjectStore store, Catalog catalog) {
        this.store = store;
        this.catalog = catalog;
    }

    /** The newest view. */
    View current() {
        View before = known();
        GetOptions options =
                before == null ? GetOptions.whole() : GetOptions.whole().ifNoneMatch(before.etag());
        GetOutcome outcome = store.get(Keys.HEAD, options);
        if (outcome instanceof GetOutcome.NotModified && before != null) {
            return before;
        }
        if (outcome instanceof GetOutcome.Found found) {
            return learn(found.object());
        }
        throw new OntologiaException(
                ErrorKind.NOT_FOUND,
                "cannot open " + store.location(),
                "there is no Ontologia store: " + Keys.HEAD + " is missing",
                "create it with 'onto init', or name another with --storage-uri");
    }

    /** The newest view, with types that were registered since its commit. */
    View fresh() {
        catalog.forget();
        View view = current();
        return remember(new View(view.head(), view.etag(), catalog.asOf(view.head())));
    }

    private View learn(StoredObject object) {
        Head head = Head.parse(object.bytes());
        return remember(new View(head, object.etag(), catalog.refreshed(head)));
    }

    /** The view after a commit that this process made. */
    View advance(Head head, ETag etag, Registry registry) {
        return remember(new View(head, etag, registry));
    }

    /** The view that was newest when it was last asked for. */
    synchronized Optional<View> lastKnown() {
        return Optional.ofNullable(known);
    }

    private synchronized @Nullable View known() {
        return known;
    }

    /** A slow read must not put back an older view than one that is known by now. */
    private synchronized View remember(View view) {
        if (known == null || view.head().commitId() >= known.head().commitId()) {
            known = view;
        }
        return view;
    }

    /** Forgets everything, so that the next question is asked of the store. */
    synchronized void forget() {
        known = null;
    }

    /** Creates the head of an empty store, unless there is one. */
    static void initialize(ObjectStore store, Clock clock, String runtimeId) {
        if (store.get(Keys.HEAD).isEmpty()) {
            // Whoever comes first wins; all heads of empty stores are alike.
            store.putIfAbsent(
                    Keys.HEAD,
                    io.ontologia.objectstore.Payload.of(
                            Head.empty(clock.now(), runtimeId).bytes()));
        }
    }
}
