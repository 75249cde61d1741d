package io.ontologia.store.object.internal.events;

import io.ontologia.core.Finding.Severity;
import io.ontologia.store.object.internal.layout.EventKeys;
import io.ontologia.store.object.internal.layout.EventKeys.ClaimName;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Compares claims, dead letters and events with each other. A dead letter is written before its claim is closed and is never removed; a
 * clean-up removes events before their claims. So one of them can prove that another one was deleted. A deleted claim without a
 * dead letter leaves no trace.
 */
final class ClaimCheck {
    private final EventObjects objects;
    private final EventCheck.Report report;

    ClaimCheck(EventObjects objects, EventCheck.Report report) {
        this.objects = objects;
        this.report = report;
    }

    /**
     * Checks everything.
     *
     * @param claims the keys of all claims, listed first
     * @param buried the keys of claims that say that there is a dead letter
     * @param letters the keys of all dead letters
     * @param events the keys of all events, listed last
     */
    void run(List<String> claims, Set<String> buried, List<String> letters, List<String> events) {
        Set<String> presentLetters = new HashSet<>(letters);
        for (String claim : buried) {
            String letter = sibling(claim, EventKeys.CLAIMS, EventKeys.DEAD_LETTERS);
            if (!presentLetters.contains(letter) && isGone(letter) && !isGone(claim)) {
                report.add(
                        "missing-dead-letter",
                        Severity.WARNING,
                        "claims say that their events have dead letters, which are gone: restore them from a backup",
                        letter);
            }
        }
        Map<String, String> eventsByName = new HashMap<>();
        events.forEach(key -> EventKeys.eventId(key).ifPresent(id -> eventsByName.put(name(key, id), key)));
        Set<String> presentClaims = new HashSet<>(claims);
        for (String letter : letters) {
            String claim = sibling(letter, EventKeys.DEAD_LETTERS, EventKeys.CLAIMS);
            Optional<String> event = eventOf(letter, eventsByName);
            if (!presentClaims.contains(claim) && event.isPresent() && isGone(claim) && !isGone(event.get())) {
                report.add(
                        "missing-claim",
                        Severity.WARNING,
                        "events have a dead letter of a handler whose claim is gone, and the handler gets them again: restore the "
                                + "claim from a backup",
                        claim);
            }
        }
        for (String claim : claims) {
            if (eventOf(claim, eventsByName).isEmpty()) {
                report.add(
                        "claim-without-event",
                        Severity.INFO,
                        "claims are left whose events are gone: a clean-up did not finish or ran beside the handler, or the "
                                + "events were deleted; 'onto events cleanup' removes the claims",
                        claim);
            }
        }
    }

    private static Optional<String> eventOf(String key, Map<String, String> events) {
        return EventKeys.claimName(key)
                .map(ClaimName::eventId)
                .flatMap(id -> Optional.ofNullable(events.get(name(key, id))));
    }

    private static String name(String key, String eventId) {
        return EventKeys.namespace(key).orElse("") + "/" + eventId;
    }

    private static String sibling(String key, String from, String to) {
        return to + key.substring(from.length());
    }

    private boolean isGone(String key) {
        return objects.store().get(key).isEmpty();
    }
}
