package io.ontologia.objectstore.internal.s3;

import io.ontologia.kernel.CodePointOrder;
import io.ontologia.objectstore.ListPage;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.objectstore.internal.SortedListing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CommonPrefix;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Lists keys. The token of a page is its last entry, so that it means the same on every server and for every process,
 * however long it is kept.
 */
final class S3Listing {
    private final S3Client client;
    private final S3Location location;

    S3Listing(S3Client client, S3Location location) {
        this.client = client;
        this.location = location;
    }

    ListPage list(S3Operation operation, ListRequest request) {
        Optional<String> after = SortedListing.lowerBound(request);
        Optional<String> split = request.continueAt().isPresent() ? Optional.empty() : folderSplitBy(request, after);
        if (split.isEmpty()) {
            return page(operation, request, after, request.pageSize());
        }
        // Servers disagree on whether a folder is listed whose first keys are passed over, so it is asked for by
        // itself.
        String folder = split.get();
        ListRequest inside = ListRequest.of(folder);
        boolean shown = !page(operation, inside, after, 1).objects().isEmpty();
        Optional<String> behind = SortedListing.lowerBound(request.continueAt(folder));
        if (!shown) {
            return page(operation, request, behind, request.pageSize());
        }
        if (request.pageSize() == 1) {
            // Whether anything follows is left to the next page, which may be empty.
            return new ListPage(List.of(), List.of(folder), Optional.of(folder));
        }
        ListPage rest = page(operation, request, behind, request.pageSize() - 1);
        List<String> groups = new ArrayList<>(List.of(folder));
        groups.addAll(rest.groups());
        return new ListPage(rest.objects(), groups, rest.next());
    }

    /** The folder that would be folded into a group, and that the starting point lies in. */
    private static Optional<String> folderSplitBy(ListRequest request, Optional<String> after) {
        if (request.delimiter() == ListRequest.Delimiter.NONE
                || after.isEmpty()
                || !after.get().startsWith(request.prefix())) {
            return Optional.empty();
        }
        int slash = after.get().indexOf('/', request.prefix().length());
        return slash < 0 ? Optional.empty() : Optional.of(after.get().substring(0, slash + 1));
    }

    private ListPage page(S3Operation operation, ListRequest request, Optional<String> after, int size) {
        ListObjectsV2Request.Builder query = ListObjectsV2Request.builder()
                .bucket(location.bucket())
                .prefix(location.inBucket(request.prefix()))
                .maxKeys(size);
        if (request.delimiter() == ListRequest.Delimiter.SLASH) {
            query.delimiter("/");
        }
        after.ifPresent(key -> query.startAfter(location.inBucket(key)));
        while (true) {
            ListObjectsV2Response reply = operation.read(
                    limit -> client.listObjectsV2(query.overrideConfiguration(c -> c.apiCallTimeout(limit))
                            .build()),
                    fault -> Optional.empty());
            boolean more = Boolean.TRUE.equals(reply.isTruncated());
            if (more && reply.contents().isEmpty() && reply.commonPrefixes().isEmpty()) {
                query.continuationToken(reply.nextContinuationToken());
                continue;
            }
            return pageOf(reply, more);
        }
    }

    private ListPage pageOf(ListObjectsV2Response reply, boolean more) {
        List<ObjectSummary> objects =
                reply.contents().stream().map(this::summary).toList();
        List<String> groups = reply.commonPrefixes().stream()
                .map(CommonPrefix::prefix)
                .map(location::inStore)
                .toList();
        return new ListPage(objects, groups, more ? Optional.of(last(objects, groups)) : Optional.empty());
    }

    private ObjectSummary summary(S3Object object) {
        return new ObjectSummary(location.inStore(object.key()), object.size(), object.lastModified());
    }

    private static String last(List<ObjectSummary> objects, List<String> groups) {
        String key = objects.isEmpty() ? "" : objects.get(objects.size() - 1).key();
        String group = groups.isEmpty() ? "" : groups.get(groups.size() - 1);
        return CodePointOrder.INSTANCE.compare(key, group) > 0 ? key : group;
    }
}
