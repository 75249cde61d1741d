package io.ontologia.objectstore;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/**
 * A flat space of objects named by keys.
 *
 * <p><b>Consistency.</b> Every operation on one key is linearizable, between threads, processes and machines that share
 * the store: a read sees the last completed write, whole, with the ETag that belongs to it. A listing sees every write
 * that completed before it began; one that happens meanwhile may or may not appear.
 *
 * <p><b>Conditional writes have three outcomes</b>: written, refused, unknown; each type says which. To settle what a
 * lost reply left open, a store reads the object back and compares its bytes with those it sent. Therefore <b>the bytes
 * of every conditional write must be unique to the attempt</b> (carry an attempt id in them): equal bytes from two
 * writers would make each believe that it won.
 *
 * <p><b>Failures</b> are {@link OntologiaException}s: {@link ErrorKind#INVALID_INPUT} for a bad key, range or token,
 * {@link ErrorKind#NOT_FOUND} when the bucket itself does not exist (a folder that is missing is an empty store), {@link ErrorKind#UNAVAILABLE} when the
 * storage cannot be reached, denies access or is full and certainly nothing was written, {@link ErrorKind#BUSY} when a
 * file lock was held by others until the store's lock timeout and certainly nothing was written, {@link
 * ErrorKind#UNKNOWN_OUTCOME} when an unconditional write may or may not have landed, {@link ErrorKind#CLOSED} after
 * {@link #close()}. Passing faults are retried within the store's request timeout before they are reported.
 *
 * <p><b>Keys</b> follow {@link ObjectKey}. A key must not also be the folder of another key ({@code a} beside {@code
 * a/b}): not every store can hold both.
 *
 * <p>All methods may be called from many threads at once.
 */
public interface ObjectStore extends AutoCloseable {

    /** The URI of this store, for people: never with credentials in it. */
    String location();

    /** The whole object, or empty when there is none. */
    default Optional<StoredObject> get(String key) {
        return get(key, GetOptions.whole()) instanceof GetOutcome.Found found
                ? Optional.of(found.object())
                : Optional.empty();
    }

    /**
     * Reads an object, or the part that the options name, unless it is still the version that the caller knows.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when a range starts at or after the end
     */
    GetOutcome get(String key, GetOptions options);

    /**
     * Copies a whole object into a file without holding it in memory. The file is created or replaced; when this method
     * throws or returns empty, its content is undefined.
     *
     * @return what was copied, or empty when there is no such object
     */
    Optional<ObjectSummary> download(String key, Path target);

    /** Creates or replaces an object, whatever was there before. Atomic: readers see the old or the new one, whole. */
    ETag put(String key, Payload payload);

    /** Creates an object if there is none. Refused when there is one. */
    PutOutcome putIfAbsent(String key, Payload payload);

    /** Replaces an object if it is still the given version. Refused when it is another one or there is none. */
    PutOutcome putIfMatch(String key, Payload payload, ETag expected);

    /** Removes an object. Removing one that is not there is no error. */
    void delete(String key);

    /**
     * Removes an object if it is still the given version. Refused when it is another one; when there is none any more,
     * refused too, except on servers that answer as if they had removed it.
     *
     * <p>Some servers delete whatever the condition says. Use this only where {@link StoreProbe} saw it enforced.
     */
    DeleteOutcome deleteIfMatch(String key, ETag expected);

    /**
     * Removes many objects, in as few requests as the store allows. Not atomic.
     *
     * @return the keys that could not be removed, each with the reason; empty when all are gone
     */
    Map<String, String> deleteAll(Collection<String> keys);

    /** One page of keys in the order of their UTF-8 bytes. */
    ListPage list(ListRequest request);

    /** Releases connections and threads. Operations after this throw {@link ErrorKind#CLOSED}. Idempotent. */
    @Override
    void close();
}
