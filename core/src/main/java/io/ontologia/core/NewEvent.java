package io.ontologia.core;

import io.ontologia.core.internal.records.EventBinding;
import io.ontologia.core.spi.EventNames;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.Json;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.RandomIds;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * An event to enqueue. What is left open is filled in when it is stored.
 *
 * @param payloadJson a JSON object; kept in canonical form
 * @param priority the higher one goes first
 * @param id empty for a new UUID
 * @param createdAt empty for the moment in which it is enqueued
 * @param rootEventId empty for its own id
 * @param chainDepth how many events led here from the root
 */
public record NewEvent(
        String namespace,
        String type,
        String payloadJson,
        long priority,
        Optional<String> id,
        Optional<Instant> createdAt,
        Optional<String> rootEventId,
        long chainDepth) {

    /** The priority of events that ask for none. */
    public static final long DEFAULT_PRIORITY = 100;

    /**
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when a name is empty, too long or no valid Unicode,
     *     the payload is no JSON object, or the depth is negative
     */
    public NewEvent {
        EventNames.require("namespace", namespace);
        EventNames.require("event type", type);
        id.ifPresent(name -> EventNames.require("event id", name));
        rootEventId.ifPresent(name -> EventNames.require("root event id", name));
        payloadJson = canonical(type, payloadJson);
        if (chainDepth < 0) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT, "invalid chain depth " + chainDepth, "it is negative", "use 0 or more");
        }
    }

    private static String canonical(String type, String payload) {
        Object tree = Json.parse(payload);
        if (tree instanceof Map<?, ?>) {
            return CanonicalJson.write(tree);
        }
        throw new OntologiaException(
                ErrorKind.INVALID_INPUT,
                "invalid payload of an event of type '" + type + "'",
                "it is not a JSON object",
                "give an object");
    }

    /** A root event with everything else left open. */
    public static NewEvent of(String namespace, String type, Map<String, ? extends @Nullable Object> payload) {
        return new NewEvent(
                namespace,
                type,
                CanonicalJson.write(payload),
                DEFAULT_PRIORITY,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                0);
    }

    /**
     * A root event that a record stands for, with everything else left open. Its type is the record's {@link Named} value, or
     * its simple name; the payload has the record's components, named and formed as those of entities.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when the record cannot be an event
     */
    public static NewEvent of(String namespace, Record event) {
        EventBinding<?> binding = EventBinding.of(event.getClass());
        return of(namespace, binding.type(), binding.payloadOf(event));
    }

    /** The same with another priority. */
    public NewEvent priority(long other) {
        return new NewEvent(namespace, type, payloadJson, other, id, createdAt, rootEventId, chainDepth);
    }

    /**
     * The same with an identity of its own. Enqueuing it again, here or in another process, changes nothing as long as it
     * is retained: this is how many can fire the same event once.
     */
    public NewEvent identity(String name, Instant at) {
        return new NewEvent(
                namespace, type, payloadJson, priority, Optional.of(name), Optional.of(at), rootEventId, chainDepth);
    }

    /** The same as a consequence of another event: of the same root, one deeper in the chain. */
    public NewEvent causedBy(Event cause) {
        return new NewEvent(
                namespace,
                type,
                payloadJson,
                priority,
                id,
                createdAt,
                Optional.of(cause.rootEventId()),
                cause.chainDepth() + 1);
    }

    /** The event as it is stored, with what was left open filled in. */
    public Event complete(Instant now, RandomGenerator random) {
        String name = id.orElseGet(() -> RandomIds.uuid(now, random));
        return new Event(
                name,
                namespace,
                type,
                payloadJson,
                priority,
                createdAt.orElse(now),
                rootEventId.orElse(name),
                chainDepth);
    }
}
