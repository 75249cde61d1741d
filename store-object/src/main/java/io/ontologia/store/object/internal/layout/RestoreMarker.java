package io.ontologia.store.object.internal.layout;

import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.Stored;
import io.ontologia.kernel.UtcTimestamp;
import java.time.Instant;
import java.util.Map;

/**
 * {@code meta/restore.json}: the objects here are the beginning of a copy. It is there from before the first of them until
 * the head points to the last.
 *
 * @param source where the copy comes from
 */
public record RestoreMarker(String source, Instant startedAt) {

    /** Reads the document. */
    public static RestoreMarker parse(byte[] bytes) {
        return Stored.read(Keys.RESTORE, () -> read(bytes));
    }

    private static RestoreMarker read(byte[] bytes) {
        JsonObject json = JsonObject.parse(Keys.RESTORE, bytes);
        return new RestoreMarker(json.text("source"), UtcTimestamp.parse(json.text("started_at")));
    }

    /** The document. */
    public byte[] bytes() {
        return CanonicalJson.bytes(Map.of("source", source, "started_at", UtcTimestamp.format(startedAt)));
    }
}
