package io.ontologia.objectstore.internal.s3;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Error;

/** Removes many objects with few requests. */
final class S3Deletes {
    /** What S3 takes in one request. */
    static final int MAX_KEYS = 1000;

    private static final Set<String> PASSING =
            Set.of("InternalError", "OperationAborted", "ServiceUnavailable", "SlowDown");

    private final S3Client client;
    private final S3Location location;

    S3Deletes(S3Client client, S3Location location) {
        this.client = client;
        this.location = location;
    }

    /** Whether a list of keys, which is XML, can hold the key. */
    static boolean canList(String key) {
        return key.indexOf('\uFFFE') < 0 && key.indexOf('\uFFFF') < 0;
    }

    /**
     * Removes objects, whether they are there or not.
     *
     * @param keys at most {@link #MAX_KEYS}, no two alike
     * @return those that could not be removed, with the server's error code
     */
    Map<String, String> deleteAll(S3Operation operation, Collection<String> keys) {
        Map<String, String> refused = new LinkedHashMap<>();
        List<String> left = new ArrayList<>(keys);
        while (true) {
            Map<String, String> failed = operation.write(limit -> send(left, limit));
            left.clear();
            failed.forEach((key, code) -> {
                if (PASSING.contains(code)) {
                    left.add(key);
                } else {
                    refused.put(key, code);
                }
            });
            if (left.isEmpty() || !operation.waitForNext()) {
                left.forEach(key -> refused.put(key, failed.getOrDefault(key, "")));
                return refused;
            }
        }
    }

    private Map<String, String> send(List<String> keys, Duration limit) {
        List<ObjectIdentifier> objects = keys.stream()
                .map(key ->
                        ObjectIdentifier.builder().key(location.inBucket(key)).build())
                .toList();
        return client
                .deleteObjects(request -> request.bucket(location.bucket())
                        .delete(delete -> delete.objects(objects).quiet(true))
                        .overrideConfiguration(c -> c.apiCallTimeout(limit)))
                .errors()
                .stream()
                .filter(error -> !"NoSuchKey".equals(error.code()))
                .collect(Collectors.toMap(error -> location.inStore(error.key()), S3Error::code));
    }
}
