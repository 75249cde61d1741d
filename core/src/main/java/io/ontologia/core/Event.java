package io.ontologia.core;

import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.OntologiaException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened, as the event bus keeps it. It never changes.
 *
 * @param id unique within its namespace; on SQLite within the store
 * @param payloadJson a JSON object, canonical when we wrote it
 * @param priority the higher one goes first
 * @param createdAt when it was enqueued, by the enqueuer's clock, or what the enqueuer said; microseconds
 * @param rootEventId the event that began the chain, which is this one where nothing caused it
 * @param chainDepth how many events led here from the root
 */
public record Event(
        String id,
        String namespace,
        String type,
        String payloadJson,
        long priority,
        Instant createdAt,
        String rootEventId,
        long chainDepth) {

    /** The type of the event that tells of a dead letter. */
    public static final String DEAD_LETTER = "event.dead_letter";

    /** What is claimed first, and listed first: by priority, then the oldest, then by id. */
    public static final Comparator<Event> ORDER = Comparator.comparingLong(Event::priority)
            .reversed()
            .thenComparing(Event::createdAt)
            .thenComparing(Event::id);

    public Event {
        createdAt = createdAt.truncatedTo(ChronoUnit.MICROS);
    }

    /**
     * The payload as a tree.
     *
     * @throws OntologiaException of kind {@link io.ontologia.kernel.ErrorKind#CORRUPT} when another writer stored something
     *     that is no JSON object
     */
    public Map<String, @Nullable Object> payload() {
        return JsonObject.parse("the payload of event " + id, payloadJson).fields();
    }
}
