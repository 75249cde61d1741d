package io.ontologia.store.object.internal.layout;

import io.ontologia.core.Event;
import io.ontologia.kernel.Names;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.UtcTimestamp;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where each object of the event bus is. Names are percent-encoded one segment at a time. */
public final class EventKeys {
    /** What all events are under. */
    public static final String EVENTS = "events/";

    /** What all claims are under. */
    public static final String CLAIMS = "claims/";

    /** What all dead letters are under. */
    public static final String DEAD_LETTERS = "dead_letters/";

    /** What all sessions are under. */
    public static final String SESSIONS = "sessions/";

    private static final String SUFFIX = ".json";

    private static final Pattern MOMENT =
            Pattern.compile("(\\d{4}-\\d\\d-\\d\\dT\\d\\d)-(\\d\\d)-(\\d\\d(?:\\.\\d+)?)([+-]\\d\\d)-(\\d\\d)");

    private EventKeys() {}

    /** What all objects of one kind in a namespace are under. */
    public static String of(String kind, String namespace) {
        return kind + Names.encodeSegment(namespace) + "/";
    }

    /** An event. */
    public static String event(Event event) {
        return of(EVENTS, event.namespace())
                + UtcTimestamp.format(event.createdAt()).replace(':', '-')
                + "_"
                + Names.encodeSegment(event.id())
                + SUFFIX;
    }

    /** What all claims on an event are under. */
    public static String claims(String namespace, String eventId) {
        return of(CLAIMS, namespace) + Names.encodeSegment(eventId) + "/";
    }

    /** A handler's claim on an event. */
    public static String claim(String namespace, String eventId, String handlerId) {
        return claims(namespace, eventId) + Names.encodeSegment(handlerId) + SUFFIX;
    }

    /** What all dead letters about an event are under. */
    public static String deadLetters(String namespace, String eventId) {
        return of(DEAD_LETTERS, namespace) + Names.encodeSegment(eventId) + "/";
    }

    /** A handler's dead letter. */
    public static String deadLetter(String namespace, String eventId, String handlerId) {
        return deadLetters(namespace, eventId) + Names.encodeSegment(handlerId) + SUFFIX;
    }

    /** A session. */
    public static String session(String namespace, String sessionId) {
        return of(SESSIONS, namespace) + Names.encodeSegment(sessionId) + SUFFIX;
    }

    /** The id of the event under a key; empty when no event has such a key. */
    public static Optional<String> eventId(String key) {
        String name = key.substring(key.lastIndexOf('/') + 1);
        int separator = name.indexOf('_');
        return separator > 0 && name.endsWith(SUFFIX) && separator + 1 < name.length() - SUFFIX.length()
                ? decoded(name.substring(separator + 1, name.length() - SUFFIX.length()))
                : Optional.empty();
    }

    /** When the event under a key was created; empty when the key does not tell. */
    public static Optional<Instant> createdAt(String key) {
        String name = key.substring(key.lastIndexOf('/') + 1);
        int separator = name.indexOf('_');
        Matcher matcher = MOMENT.matcher(separator < 0 ? "" : name.substring(0, separator));
        return matcher.matches()
                ? Optional.of(UtcTimestamp.parse(matcher.group(1) + ":" + matcher.group(2) + ":" + matcher.group(3)
                        + matcher.group(4) + ":" + matcher.group(5)))
                : Optional.empty();
    }

    /** Event and handler of the claim under a key. */
    public record ClaimName(String eventId, String handlerId) {}

    /** Whose claim is under a key; empty when no claim has such a key. */
    public static Optional<ClaimName> claimName(String key) {
        String[] segments = key.split("/", -1);
        if (segments.length < 4 || !key.endsWith(SUFFIX)) {
            return Optional.empty();
        }
        String handler = segments[segments.length - 1];
        return decoded(segments[segments.length - 2])
                .flatMap(event -> decoded(handler.substring(0, handler.length() - SUFFIX.length()))
                        .map(id -> new ClaimName(event, id)));
    }

    /** The namespace of a group such as {@code events/shop/}. */
    public static Optional<String> namespace(String group) {
        String[] segments = group.split("/", -1);
        return segments.length < 2 ? Optional.empty() : decoded(segments[1]);
    }

    /** What others wrote may not be encoded our way; it is not ours to read then. */
    private static Optional<String> decoded(String segment) {
        try {
            return Optional.of(Names.decodeSegment(segment));
        } catch (OntologiaException e) {
            return Optional.empty();
        }
    }
}
