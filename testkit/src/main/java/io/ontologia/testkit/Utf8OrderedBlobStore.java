package io.ontologia.testkit;

import io.ontologia.kernel.CodePointOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.gaul.s3proxy.blobstore.BlobStore;
import org.gaul.s3proxy.blobstore.ForwardingBlobStore;
import software.amazon.awssdk.services.s3.model.CommonPrefix;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * A store of S3Proxy that lists as S3 does: keys come in the order of their UTF-8 bytes and not of their UTF-16 units,
 * and a listing may start inside a folder that it folds.
 */
final class Utf8OrderedBlobStore extends ForwardingBlobStore {
    private static final int LARGEST_PAGE = 1000;

    Utf8OrderedBlobStore(BlobStore store) {
        super(store);
    }

    @Override
    public ListObjectsV2Response list(ListObjectsV2Request request) {
        String prefix = Objects.requireNonNullElse(request.prefix(), "");
        String delimiter = Objects.requireNonNullElse(request.delimiter(), "");
        String token = Objects.requireNonNullElse(request.continuationToken(), "");
        String after = token.isEmpty() ? Objects.requireNonNullElse(request.startAfter(), "") : token;
        int size = Objects.requireNonNullElse(request.maxKeys(), LARGEST_PAGE);
        List<S3Object> objects = new ArrayList<>();
        Set<String> groups = new LinkedHashSet<>();
        String last = "";
        for (S3Object object : allBelow(request.bucket(), prefix)) {
            String key = object.key();
            int end = delimiter.isEmpty() ? -1 : key.indexOf(delimiter, prefix.length());
            String group = end < 0 ? "" : key.substring(0, end + delimiter.length());
            boolean passed = CodePointOrder.INSTANCE.compare(key, after) <= 0
                    || (!group.isEmpty() && (group.equals(token) || groups.contains(group)));
            if (passed) {
                continue;
            }
            if (objects.size() + groups.size() == size) {
                return page(request, objects, groups)
                        .isTruncated(true)
                        .nextContinuationToken(last)
                        .build();
            }
            last = group.isEmpty() ? key : group;
            if (group.isEmpty()) {
                objects.add(object);
            } else {
                groups.add(group);
            }
        }
        return page(request, objects, groups).isTruncated(false).build();
    }

    private List<S3Object> allBelow(String bucket, String prefix) {
        List<S3Object> objects = new ArrayList<>();
        ListObjectsV2Request.Builder request =
                ListObjectsV2Request.builder().bucket(bucket).prefix(prefix).maxKeys(LARGEST_PAGE);
        ListObjectsV2Response page;
        do {
            page = super.list(request.build());
            objects.addAll(page.contents());
            request.continuationToken(page.nextContinuationToken());
        } while (Boolean.TRUE.equals(page.isTruncated()));
        objects.sort(Comparator.comparing(S3Object::key, CodePointOrder.INSTANCE));
        return objects;
    }

    private static ListObjectsV2Response.Builder page(
            ListObjectsV2Request request, List<S3Object> objects, Set<String> groups) {
        return ListObjectsV2Response.builder()
                .name(request.bucket())
                .prefix(request.prefix())
                .delimiter(request.delimiter())
                .maxKeys(request.maxKeys())
                .keyCount(objects.size() + groups.size())
                .contents(objects)
                .commonPrefixes(groups.stream()
                        .map(group -> CommonPrefix.builder().prefix(group).build())
                        .toList());
    }
}
