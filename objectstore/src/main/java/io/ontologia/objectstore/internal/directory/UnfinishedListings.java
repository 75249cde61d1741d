package io.ontologia.objectstore.internal.directory;

import io.ontologia.objectstore.ListPage;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.internal.SortedListing;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes pages, and remembers where a few listings of large folders stopped, so that the next page goes on from there: a
 * folder can only be read as a whole, and reading it again for every page would take time that grows with the square of
 * its size. A listing may leave out what was written after it began, so names that were read for its first page will do;
 * each is still looked at when it comes out.
 */
final class UnfinishedListings {
    private static final int REMEMBERED = 4;
    private static final int WORTH_REMEMBERING = 10_000;

    private final Path root;
    private final Map<ListRequest, DirectoryListing> byNextPage = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<ListRequest, DirectoryListing> eldest) {
            return size() > REMEMBERED;
        }
    };

    UnfinishedListings(Path root) {
        this.root = root;
    }

    ListPage page(ListRequest request) throws IOException {
        DirectoryListing listing = take(request);
        if (listing == null) {
            listing = new DirectoryListing(root, request);
        }
        ListPage page = SortedListing.page(request, listing);
        if (page.next().isPresent() && listing.pending() >= WORTH_REMEMBERING) {
            // What came out last did not fit any more: that is how the page knows of a next one.
            listing.unread();
            synchronized (byNextPage) {
                byNextPage.put(request.continueAt(page.next().get()), listing);
            }
        }
        return page;
    }

    private @Nullable DirectoryListing take(ListRequest request) {
        synchronized (byNextPage) {
            return byNextPage.remove(request);
        }
    }
}
