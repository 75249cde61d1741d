package io.ontologia.store.object.internal;

import io.ontologia.objectstore.ListPage;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectSummary;
import java.util.Set;
import java.util.TreeSet;

/** Lists the objects below a prefix. */
final class Listing {
    private Listing() {}

    /** The keys of all objects below a prefix, one request for each page. */
    static Set<String> keys(ObjectStore store, String prefix) {
        Set<String> keys = new TreeSet<>();
        ListRequest request = ListRequest.of(prefix);
        while (true) {
            ListPage page = store.list(request);
            page.objects().stream().map(ObjectSummary::key).forEach(keys::add);
            if (page.next().isEmpty()) {
                return keys;
            }
            request = request.continueAt(page.next().get());
        }
    }
}
