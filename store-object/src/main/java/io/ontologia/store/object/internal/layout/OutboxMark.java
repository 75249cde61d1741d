package io.ontologia.store.object.internal.layout;

import io.ontologia.kernel.JsonObject;
import java.util.Map;

/**
 * {@code meta/outbox.json}: up to which commit the events of commits have been enqueued. It is there before the first commit
 * that has any, and only ever moves on.
 *
 * @param attemptId unique to the write, so that equal bytes never hide a lost update
 */
public record OutboxMark(long commitId, String attemptId) {
    /** Where it is. */
    public static final String KEY = "meta/outbox.json";

    private static final String ATTEMPT = "attempt_id";

    /** Reads the document. */
    public static OutboxMark parse(byte[] bytes) {
        JsonObject json = Sealed.parseReplaceable(KEY, bytes, ATTEMPT);
        return new OutboxMark(json.integer("delivered_commit_id"), json.text(ATTEMPT));
    }

    /** The document. */
    public byte[] bytes() {
        return Sealed.replaceable(Map.of("delivered_commit_id", commitId, ATTEMPT, attemptId), ATTEMPT);
    }
}
