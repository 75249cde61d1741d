package io.ontologia.core.spi;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.List;
import java.util.Set;

/**
 * Which events a session wants, for all its handlers in one go.
 *
 * @param subscriptions served in this order; at most one for each handler
 */
public record ClaimRequest(String namespace, String sessionId, List<Subscription> subscriptions) {

    /** @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} for a bad name or two subscriptions of a handler */
    public ClaimRequest {
        EventNames.require("namespace", namespace);
        EventNames.require("session id", sessionId);
        subscriptions = List.copyOf(subscriptions);
        if (subscriptions.stream().map(Subscription::handlerId).distinct().count() != subscriptions.size()) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "cannot claim events",
                    "a handler is named twice",
                    "give each handler one subscription");
        }
    }

    /**
     * What one handler wants.
     *
     * @param eventTypes of these types only; none when empty
     * @param limit at most so many
     */
    public record Subscription(String handlerId, Set<String> eventTypes, int limit) {

        /** @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} for a bad name or a negative limit */
        public Subscription {
            EventNames.require("handler id", handlerId);
            eventTypes = Set.copyOf(eventTypes);
            if (limit < 0) {
                throw new OntologiaException(
                        ErrorKind.INVALID_INPUT, "invalid limit " + limit, "it is negative", "use 0 or more");
            }
        }
    }
}
