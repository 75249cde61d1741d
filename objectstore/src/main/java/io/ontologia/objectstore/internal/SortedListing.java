package io.ontologia.objectstore.internal;

import io.ontologia.kernel.CodePointOrder;
import io.ontologia.objectstore.ListPage;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectSummary;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** Makes a page of a listing out of summaries that come in key order. */
public final class SortedListing {
    private SortedListing() {}

    /**
     * The key after which this request's page starts, exclusive; keys up to it need not be offered to {@link #page}.
     * Everything when empty.
     */
    public static Optional<String> lowerBound(ListRequest request) {
        Optional<String> token = request.continueAt();
        if (token.isPresent() && token.get().endsWith("/")) {
            // The page before ended with this group: go on after its last possible key.
            return Optional.of(token.get() + Character.toString(Character.MAX_CODE_POINT));
        }
        return token.isPresent() ? token : request.startAfter();
    }

    /**
     * Builds the page.
     *
     * @param summaries in key order; may hold keys outside the request, which are passed over
     */
    public static ListPage page(ListRequest request, Iterator<ObjectSummary> summaries) {
        Optional<String> after = lowerBound(request);
        List<ObjectSummary> objects = new ArrayList<>();
        List<String> groups = new ArrayList<>();
        String last = "";
        while (summaries.hasNext()) {
            ObjectSummary summary = summaries.next();
            String key = summary.key();
            if (!key.startsWith(request.prefix())
                    || (after.isPresent() && CodePointOrder.INSTANCE.compare(key, after.get()) <= 0)) {
                continue;
            }
            String group = groupOf(key, request);
            if (!group.isEmpty() && group.equals(last)) {
                continue;
            }
            if (objects.size() + groups.size() == request.pageSize()) {
                return new ListPage(objects, groups, Optional.of(last));
            }
            if (group.isEmpty()) {
                objects.add(summary);
                last = key;
            } else {
                groups.add(group);
                last = group;
            }
        }
        return new ListPage(objects, groups, Optional.empty());
    }

    private static String groupOf(String key, ListRequest request) {
        if (request.delimiter() == ListRequest.Delimiter.NONE) {
            return "";
        }
        int slash = key.indexOf('/', request.prefix().length());
        return slash < 0 ? "" : key.substring(0, slash + 1);
    }
}
