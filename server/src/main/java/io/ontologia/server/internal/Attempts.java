package io.ontologia.server.internal;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the replies to writes for a while, so that a client whose reply was lost can send the same write again and gets the reply
 * to the first one: nothing is done twice, and a client does not mistake its own write for another client's. An id is bound to its
 * request: the same id with another method, URL or body is refused. Ids and requests are kept as hashes, so that memory does not
 * depend on what clients send. Safe for use by many threads.
 */
final class Attempts {
    /** The header with the client's id of a write. */
    static final String ATTEMPT = "Ontologia-Attempt";
    /** The header that says that a write was sent before, and to which server. */
    static final String RESENT = "Ontologia-Resent-To";
    /** The header with the id of this server. */
    static final String INSTANCE = "Ontologia-Instance";

    /** About 10 MB. Clients send a write again for less than a minute. */
    private static final int MAX_IDS = 50_000;

    private static final long MAX_CHARACTERS = 4L << 20;
    private static final int MAX_ID_LENGTH = 64;

    private final String instance;
    private final Map<ByteBuffer, Attempt> known = new LinkedHashMap<>();
    private long characters;

    /** @param instance the id of this server */
    Attempts(String instance) {
        this.instance = instance;
    }

    /** A write under way, done, or done with a reply that was forgotten. */
    private static final class Attempt {
        private final byte[] request;
        private volatile CompletableFuture<@Nullable Reply> reply = new CompletableFuture<>();

        Attempt(byte[] request) {
            this.request = request;
        }
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
        ByteBuffer key = ByteBuffer.wrap(Sha256.digest().digest(id.getBytes(StandardCharsets.UTF_8)));
        Attempt mine = new Attempt(hash(request));
        Attempt first;
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
            return repeated(first, mine);
        }
        Reply reply = answered(mine, write);
        remember(mine, reply);
        return reply;
    }

    private static Reply repeated(Attempt first, Attempt again) {
        if (!Arrays.equals(first.request, again.request)) {
            throw new Refusal(
                    422,
                    ErrorKind.INVALID_INPUT,
                    "the id of its attempt belongs to another request",
                    "send the same request again, or use a new id");
        }
        Reply reply = first.reply.join();
        if (reply == null) {
            throw forgotten();
        }
        return reply;
    }

    private static byte[] hash(Request request) {
        MessageDigest digest = Sha256.digest();
        String line =
                request.exchange().getRequestMethod() + " " + request.exchange().getRequestURI() + "\n";
        digest.update(line.getBytes(StandardCharsets.UTF_8));
        return digest.digest(request.content());
    }

    private static Reply answered(Attempt attempt, Supplier<Reply> write) {
        try {
            return write.get();
        } catch (OntologiaException e) {
            return Reply.error(e);
        } catch (RuntimeException | StackOverflowError e) {
            return Reply.error(new OntologiaException(
                    ErrorKind.UNKNOWN_OUTCOME,
                    "cannot tell what became of this request",
                    "the server failed (" + e.getClass().getSimpleName() + ")",
                    "read before doing anything else",
                    e));
        } catch (Error e) {
            attempt.reply.complete(null);
            throw e;
        }
    }

    private synchronized void remember(Attempt attempt, Reply reply) {
        attempt.reply.complete(reply);
        characters += reply.body().length();
        Iterator<Attempt> oldest = known.values().iterator();
        while (characters > MAX_CHARACTERS && oldest.hasNext()) {
            Attempt old = oldest.next();
            Reply forgotten = old.reply.getNow(null);
            if (forgotten != null) {
                characters -= forgotten.body().length();
                // Its id stays: better to say that the reply is gone than to take the write for a new one.
                old.reply = CompletableFuture.completedFuture(null);
            }
        }
        Iterator<Attempt> eldest = known.values().iterator();
        while (known.size() > MAX_IDS) {
            Reply old = eldest.next().reply.getNow(null);
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
