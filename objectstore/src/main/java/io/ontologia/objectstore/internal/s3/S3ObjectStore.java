package io.ontologia.objectstore.internal.s3;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.DeleteOutcome;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.GetOptions;
import io.ontologia.objectstore.GetOutcome;
import io.ontologia.objectstore.ListPage;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectKey;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStoreOptions;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * Objects in a bucket of S3, or of a server that speaks its protocol. Opening one makes no request. The SDK's own
 * retries are off: it would take the refusal of a repeated conditional write for the answer to the first.
 */
public final class S3ObjectStore implements ObjectStore {
    private final S3Location location;
    private final NamedCredentials credentials;
    private final S3Client client;
    private final S3Operation.Rules rules;
    private final S3Reads reads;
    private final S3Writes writes;
    private final S3Deletes deletes;
    private final S3Listing listing;
    private volatile boolean closed;

    /** A store whose credentials come from the default chain of the SDK. */
    public S3ObjectStore(String uri, ObjectStoreOptions options) {
        this(uri, options, DefaultCredentialsProvider.builder().build());
    }

    /** A store with other credentials; it closes them with itself. */
    public S3ObjectStore(String uri, ObjectStoreOptions options, AwsCredentialsProvider credentials) {
        this(uri, options, credentials, Apache5HttpClient.builder());
    }

    S3ObjectStore(
            String uri,
            ObjectStoreOptions options,
            AwsCredentialsProvider source,
            Apache5HttpClient.Builder connections) {
        location = S3Location.parse(uri);
        credentials = new NamedCredentials(source);
        client = S3Connection.open(options.s3(), credentials, connections);
        rules = new S3Operation.Rules(
                new S3Errors(location, options.s3()),
                options.clock(),
                options.random(),
                options.s3().requestTimeout(),
                options.s3().operationTimeout());
        reads = new S3Reads(client, location);
        writes = new S3Writes(client, location, reads);
        deletes = new S3Deletes(client, location);
        listing = new S3Listing(client, location);
    }

    @Override
    public String location() {
        return location.toString();
    }

    @Override
    public GetOutcome get(String key, GetOptions options) {
        return on(key, "read", 0, operation -> reads.get(operation, key, options));
    }

    @Override
    public Optional<ObjectSummary> download(String key, Path target) {
        return on(key, "read", 0, operation -> reads.download(operation, key, target));
    }

    @Override
    public ETag put(String key, Payload payload) {
        return on(key, "write", payload.length(), operation -> writes.put(operation, key, payload));
    }

    @Override
    public PutOutcome putIfAbsent(String key, Payload payload) {
        return on(key, "create", payload.length(), operation -> writes.putIfAbsent(operation, key, payload));
    }

    @Override
    public PutOutcome putIfMatch(String key, Payload payload, ETag expected) {
        return on(key, "replace", payload.length(), operation -> writes.putIfMatch(operation, key, payload, expected));
    }

    @Override
    public void delete(String key) {
        on(key, "delete", 0, operation -> writes.delete(operation, key));
    }

    @Override
    public DeleteOutcome deleteIfMatch(String key, ETag expected) {
        return on(key, "delete", 0, operation -> writes.deleteIfMatch(operation, key, expected));
    }

    @Override
    public Map<String, String> deleteAll(Collection<String> keys) {
        keys.forEach(ObjectKey::require);
        Map<Boolean, List<String>> distinct =
                keys.stream().distinct().collect(Collectors.partitioningBy(S3Deletes::canList));
        distinct.getOrDefault(false, List.of()).forEach(this::delete);
        List<String> listed = distinct.getOrDefault(true, List.of());
        Map<String, String> refused = new LinkedHashMap<>();
        for (int i = 0; i < listed.size(); i += S3Deletes.MAX_KEYS) {
            List<String> page = listed.subList(i, Math.min(listed.size(), i + S3Deletes.MAX_KEYS));
            refused.putAll(carryOut(
                    "cannot delete " + page.size() + " objects in " + location,
                    0,
                    operation -> deletes.deleteAll(operation, page)));
        }
        return refused;
    }

    @Override
    public ListPage list(ListRequest request) {
        return carryOut(
                "cannot list '" + request.prefix() + "' in " + location,
                0,
                operation -> listing.list(operation, request));
    }

    @Override
    public void close() {
        closed = true;
        client.close();
        credentials.close();
    }

    private <T> T on(String key, String verb, long bytes, Function<S3Operation, T> work) {
        return carryOut("cannot " + verb + " '" + ObjectKey.require(key) + "' in " + location, bytes, work);
    }

    private <T> T carryOut(String problem, long bytes, Function<S3Operation, T> work) {
        if (closed) {
            throw rules.errors().closed();
        }
        try {
            return work.apply(new S3Operation(rules, problem, bytes));
        } catch (OntologiaException e) {
            throw closed && e.kind() == ErrorKind.UNAVAILABLE ? rules.errors().closed() : e;
        }
    }
}
