package io.ontologia.server.internal;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the replies to writes for a while, so that a client whose reply was lost can send the same write again and gets the reply
 * to the first one: nothing is done twice, and nobody mistakes his own write for somebody else's. Safe for use by many threads.
 */
final class Attempts {
    /** The header with the client's id of a write. */
    static final String ATTEMPT = "Ontologia-Attempt";
    /** The header that says that a write was sent before, and to which server. */
    static final String RESENT = "Ontologia-Resent-To";
    /** The header with the id of this server. */
    static final String INSTANCE = "Ontologia-Instance";

    private static final int MAX_IDS = 100_000;
    private static final long MAX_CHARACTERS = 16L << 20;
    private static final int MAX_ID_LENGTH = 64;

    private final String instance;
    private final Map<String, CompletableFuture<@Nullable Reply>> known = new LinkedHashMap<>();
    private long characters;

    /** @param instance the id of this server */
    Attempts(String instance) {
        this.instance = instance;
    }

    /** Does a write, unless it was done before. */
    Reply once(Request request, Supplier<Reply> write) {
        String id = request.header(ATTEMPT).orElse("");
        if (id.isEmpty()) {
            return write.get();
        }
        if (id.length() > MAX_ID_LENGTH) {
            throw new Refusal(400, ErrorKind.INVALID_INPUT, "the id of its attempt is too long", "use a shorter one");
        }
        // One id for two different writes would be a mistake of the client; neither gets the other's reply.
        String key = id + " " + request.exchange().getRequestMethod() + " "
                + request.exchange().getRequestURI();
        CompletableFuture<@Nullable Reply> mine = new CompletableFuture<>();
        CompletableFuture<@Nullable Reply> first;
        synchronized (this) {
            first = known.get(key);
            if (first == null
                    && request.header(RESENT).filter(to -> !to.equals(instance)).isPresent()) {
                throw forgotten();
            }
            if (first == null) {
                known.put(key, mine);
            }
        }
        if (first != null) {
            Reply reply = first.join();
            if (reply == null) {
                throw forgotten();
            }
            return reply;
        }
        Reply reply = answered(write);
        remember(mine, reply);
        return reply;
    }

    private static Reply answered(Supplier<Reply> write) {
        try {
            return write.get();
        } catch (OntologiaException e) {
            return Reply.error(e);
        } catch (RuntimeException | Error e) {
            return Reply.error(new OntologiaException(
                    ErrorKind.UNKNOWN_OUTCOME,
                    "cannot tell what became of this request",
                    "the server failed (" + e.getClass().getSimpleName() + ")",
                    "read before doing anything else",
                    e));
        }
    }

    private synchronized void remember(CompletableFuture<@Nullable Reply> attempt, Reply reply) {
        attempt.complete(reply);
        characters += reply.body().length();
        Iterator<Map.Entry<String, CompletableFuture<@Nullable Reply>>> oldest =
                known.entrySet().iterator();
        while (characters > MAX_CHARACTERS && oldest.hasNext()) {
            Map.Entry<String, CompletableFuture<@Nullable Reply>> entry = oldest.next();
            Reply old = entry.getValue().getNow(null);
            if (old != null) {
                characters -= old.body().length();
                // Its id stays: better to say that the reply is gone than to take the write for a new one.
                entry.setValue(CompletableFuture.completedFuture(null));
            }
        }
        Iterator<CompletableFuture<@Nullable Reply>> eldest = known.values().iterator();
        while (known.size() > MAX_IDS) {
            Reply old = eldest.next().getNow(null);
            characters -= old == null ? 0 : old.body().length();
            eldest.remove();
        }
    }

    private static OntologiaException forgotten() {
        return new OntologiaException(
                ErrorKind.UNKNOWN_OUTCOME,
                "cannot tell what became of this request",
                "it was sent before, and this server does not know the reply",
                "read before doing anything else",
                Map.of("reason", "attempt_not_known"),
                null);
    }
}
