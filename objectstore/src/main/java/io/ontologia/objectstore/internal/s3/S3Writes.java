package io.ontologia.objectstore.internal.s3;

import io.ontologia.objectstore.DeleteOutcome;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.GetOptions;
import io.ontologia.objectstore.GetOutcome;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import io.ontologia.objectstore.StoredObject;
import io.ontologia.objectstore.internal.Attempt;
import io.ontologia.objectstore.internal.ConditionalWrites;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.DeleteObjectRequest;
import software.amazon.awssdk.services.s3.model.DeleteObjectResponse;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;

/** Writes and removes single objects. */
final class S3Writes {
    private static final String CONTENT_TYPE = "application/octet-stream";

    private final S3Client client;
    private final S3Location location;
    private final S3Reads reads;

    S3Writes(S3Client client, S3Location location, S3Reads reads) {
        this.client = client;
        this.location = location;
        this.reads = reads;
    }

    ETag put(S3Operation operation, String key, Payload payload) {
        return operation.write(limit -> put(key, payload, unconditional -> {}, limit));
    }

    PutOutcome putIfAbsent(S3Operation operation, String key, Payload payload) {
        return new ConditionalWrites(operation.leavingTimeToReadBack())
                .putIfAbsent(payload, () -> create(operation, key, payload), () -> readBack(operation, key));
    }

    PutOutcome putIfMatch(S3Operation operation, String key, Payload payload, ETag expected) {
        return new ConditionalWrites(operation.leavingTimeToReadBack())
                .putIfMatch(
                        payload,
                        expected,
                        () -> replace(operation, key, payload, expected),
                        () -> readBack(operation, key));
    }

    DeleteObjectResponse delete(S3Operation operation, String key) {
        return operation.write(limit -> delete(key, unconditional -> {}, limit));
    }

    DeleteOutcome deleteIfMatch(S3Operation operation, String key, ETag expected) {
        return new ConditionalWrites(operation.leavingTimeToReadBack())
                .deleteIfMatch(
                        expected,
                        () -> remove(operation, key, expected),
                        () -> readBack(operation, key).map(StoredObject::etag));
    }

    private Attempt.OfPut create(S3Operation operation, String key, Payload payload) {
        try {
            return new Attempt.Landed(
                    operation.send(limit -> put(key, payload, request -> request.ifNoneMatch("*"), limit)));
        } catch (S3Fault fault) {
            // That there is no object cannot be why none was created: somebody removed it meanwhile.
            return fault.meaning() == S3Fault.Meaning.NO_SUCH_KEY ? new Attempt.TryAgain() : failed(operation, fault);
        }
    }

    private Attempt.OfPut replace(S3Operation operation, String key, Payload payload, ETag expected) {
        try {
            // Without quotes: some servers compare the header with the bare value, none minds.
            return new Attempt.Landed(
                    operation.send(limit -> put(key, payload, request -> request.ifMatch(expected.value()), limit)));
        } catch (S3Fault fault) {
            return failed(operation, fault);
        }
    }

    private Attempt.OfDelete remove(S3Operation operation, String key, ETag expected) {
        try {
            operation.send(limit -> delete(key, request -> request.ifMatch(expected.value()), limit));
            return new Attempt.Removed();
        } catch (S3Fault fault) {
            return failed(operation, fault);
        }
    }

    /** What a fault means to a conditional request. Throws when repeating it is of no use. */
    private static Attempt.Failed failed(S3Operation operation, S3Fault fault) {
        return switch (fault.meaning()) {
            case PRECONDITION_FAILED, NO_SUCH_KEY -> new Attempt.PreconditionFailed();
            case CONTENDED -> new Attempt.TryAgain();
            case THROTTLED, UNREACHABLE, CUT_SHORT -> new Attempt.NotSent(operation.nothingDone(fault));
            case NO_REPLY, INTERRUPTED -> new Attempt.NoReply(operation.maybeDone(fault));
            default -> throw operation.nothingDone(fault);
        };
    }

    private ETag put(String key, Payload payload, Consumer<PutObjectRequest.Builder> condition, Duration limit) {
        PutObjectRequest.Builder request = PutObjectRequest.builder()
                .bucket(location.bucket())
                .key(location.inBucket(key))
                .overrideConfiguration(c -> c.apiCallTimeout(limit));
        condition.accept(request);
        RequestBody body = RequestBody.fromContentProvider(payload::open, payload.length(), CONTENT_TYPE);
        return S3Reads.etag(client.putObject(request.build(), body).eTag());
    }

    private DeleteObjectResponse delete(String key, Consumer<DeleteObjectRequest.Builder> condition, Duration limit) {
        DeleteObjectRequest.Builder request = DeleteObjectRequest.builder()
                .bucket(location.bucket())
                .key(location.inBucket(key))
                .overrideConfiguration(c -> c.apiCallTimeout(limit));
        condition.accept(request);
        return client.deleteObject(request.build());
    }

    private Optional<StoredObject> readBack(S3Operation operation, String key) {
        return reads.get(operation, key, GetOptions.whole()) instanceof GetOutcome.Found found
                ? Optional.of(found.object())
                : Optional.empty();
    }
}
