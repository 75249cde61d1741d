package io.ontologia.testkit;

import io.ontologia.objectstore.ListPage;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.objectstore.internal.SortedListing;
import java.util.ArrayList;
import java.util.List;

/** Lists a store as it was some time ago. Safe for use by many threads. */
final class EarlierListings {
    /** What a token starts with that continues a listing of an earlier state; no key and no server's token does. */
    private static final String TOKEN = "\u0000earlier:";

    private final ObjectStore store;
    private final List<List<ObjectSummary>> states = new ArrayList<>();

    /** Remembers the store as it is now. */
    EarlierListings(ObjectStore store) {
        this.store = store;
        remember();
    }

    /** Lists the store as it is, or goes on with a listing of an earlier state, and remembers the store as it is now. */
    synchronized ListPage current(ListRequest request) {
        if (request.continueAt().filter(token -> token.startsWith(TOKEN)).isPresent()) {
            return next(request);
        }
        ListPage page = store.list(request);
        if (request.continueAt().isEmpty()) {
            remember();
        }
        return page;
    }

    /** Lists the store as it was when it was last remembered. A listing under way goes on as it began. */
    synchronized ListPage stale(ListRequest request) {
        return request.continueAt().isPresent() ? current(request) : page(request, states.size() - 1);
    }

    private ListPage next(ListRequest request) {
        String token = request.continueAt().orElseThrow().substring(TOKEN.length());
        int colon = token.indexOf(':');
        return page(request.continueAt(token.substring(colon + 1)), Integer.parseInt(token.substring(0, colon)));
    }

    private ListPage page(ListRequest request, int state) {
        ListPage page = SortedListing.page(request, states.get(state).iterator());
        return new ListPage(page.objects(), page.groups(), page.next().map(token -> TOKEN + state + ":" + token));
    }

    private void remember() {
        List<ObjectSummary> all = new ArrayList<>();
        ListPage page = store.list(ListRequest.of(""));
        all.addAll(page.objects());
        while (page.next().isPresent()) {
            page = store.list(ListRequest.of("").continueAt(page.next().get()));
            all.addAll(page.objects());
        }
        states.add(all);
    }
}
