package io.ontologia.objectstore.internal;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Retry;
import io.ontologia.objectstore.DeleteOutcome;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import io.ontologia.objectstore.StoredObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Turns the replies to a conditional request, some of them lost, into an outcome that is certain or called unknown.
 *
 * <p>Until a reply is lost, every answer is taken at its word. After a lost reply the same request is sent again: if it
 * lands now, it is written; if the condition fails now, it may be our own first request that made it fail, so the object
 * is read back, and is ours exactly if its bytes are, because bytes are unique to the attempt. Anything else stays
 * unknown and is never called refused: our write may have landed and been replaced. (Where somebody deletes objects that
 * others create, a put-if-absent that landed, was deleted and is then sent again creates its object a second time.)
 *
 * <p>The requests come in as functions. One that throws an {@link OntologiaException} says that it certainly did nothing
 * and that repeating it is of no use; the exception is passed on, or makes the outcome unknown when a reply was lost
 * before. Safe for use by many threads.
 */
public final class ConditionalWrites {
    private final Retry retry;

    /** @param retry how often and how long to repeat one request; its waits lie between the repetitions */
    public ConditionalWrites(Retry retry) {
        this.retry = retry;
    }

    /**
     * Settles a put-if-absent.
     *
     * @param payload the bytes that every request sends
     * @param send sends the request once
     * @param readBack the object as it is now, whole, or empty when there is none
     * @throws OntologiaException when certainly nothing was written although the condition may hold
     */
    public PutOutcome putIfAbsent(
            Payload payload, Supplier<Attempt.OfPut> send, Supplier<Optional<StoredObject>> readBack) {
        return put(payload, object -> false, send, readBack);
    }

    /**
     * Settles a put-if-match.
     *
     * @param expected the version that every request names
     * @see #putIfAbsent for the other parameters
     */
    public PutOutcome putIfMatch(
            Payload payload, ETag expected, Supplier<Attempt.OfPut> send, Supplier<Optional<StoredObject>> readBack) {
        return put(payload, object -> object.etag().equals(expected), send, readBack);
    }

    /**
     * Settles a delete-if-match. After a lost reply the request is only repeated when the object is still the version
     * named, so that even a server that ignores the condition removes nothing else because of the repetition.
     *
     * @param expected the version that every request names
     * @param send sends the request once
     * @param current the version of the object as it is now, or empty when there is none
     * @throws OntologiaException when certainly nothing was removed although the condition may hold
     */
    public DeleteOutcome deleteIfMatch(
            ETag expected, Supplier<Attempt.OfDelete> send, Supplier<Optional<ETag>> current) {
        Retry.Attempts attempts = retry.start();
        while (true) {
            Attempt.OfDelete attempt = send.get();
            if (attempt instanceof Attempt.Removed) {
                return new DeleteOutcome.Deleted();
            }
            if (attempt instanceof Attempt.PreconditionFailed) {
                return new DeleteOutcome.Refused();
            }
            if (attempt instanceof Attempt.NoReply noReply) {
                return settleDelete(expected, send, current, attempts, noReply.reason());
            }
            waitOrThrow(attempts, attempt);
        }
    }

    private PutOutcome put(
            Payload payload,
            Predicate<StoredObject> isExpected,
            Supplier<Attempt.OfPut> send,
            Supplier<Optional<StoredObject>> readBack) {
        Retry.Attempts attempts = retry.start();
        while (true) {
            Attempt.OfPut attempt = send.get();
            if (attempt instanceof Attempt.Landed landed) {
                return new PutOutcome.Written(landed.etag());
            }
            if (attempt instanceof Attempt.PreconditionFailed) {
                return new PutOutcome.Refused();
            }
            if (attempt instanceof Attempt.NoReply noReply) {
                return settlePut(payload, isExpected, send, readBack, attempts, noReply.reason());
            }
            waitOrThrow(attempts, attempt);
        }
    }

    private static PutOutcome settlePut(
            Payload payload,
            Predicate<StoredObject> isExpected,
            Supplier<Attempt.OfPut> send,
            Supplier<Optional<StoredObject>> readBack,
            Retry.Attempts attempts,
            OntologiaException lost) {
        try {
            while (attempts.waitForNext()) {
                Attempt.OfPut attempt = send.get();
                if (attempt instanceof Attempt.Landed landed) {
                    return new PutOutcome.Written(landed.etag());
                }
                if (attempt instanceof Attempt.PreconditionFailed) {
                    Optional<StoredObject> now = readBack.get();
                    if (now.filter(isExpected).isEmpty()) {
                        return writtenIfOurs(payload, now, lost);
                    }
                }
            }
            return writtenIfOurs(payload, readBack.get(), lost);
        } catch (OntologiaException e) {
            return new PutOutcome.Unknown(because(lost, e));
        }
    }

    private static PutOutcome writtenIfOurs(Payload payload, Optional<StoredObject> now, OntologiaException lost) {
        return now.isPresent() && sameBytes(payload, now.get().bytes())
                ? new PutOutcome.Written(now.get().etag())
                : new PutOutcome.Unknown(lost);
    }

    private static DeleteOutcome settleDelete(
            ETag expected,
            Supplier<Attempt.OfDelete> send,
            Supplier<Optional<ETag>> current,
            Retry.Attempts attempts,
            OntologiaException lost) {
        try {
            while (attempts.waitForNext()) {
                if (current.get().filter(expected::equals).isEmpty()) {
                    break;
                }
                if (send.get() instanceof Attempt.Removed) {
                    return new DeleteOutcome.Deleted();
                }
            }
            return new DeleteOutcome.Unknown(lost);
        } catch (OntologiaException e) {
            return new DeleteOutcome.Unknown(because(lost, e));
        }
    }

    private static void waitOrThrow(Retry.Attempts attempts, Attempt attempt) {
        if (attempts.waitForNext()) {
            return;
        }
        if (attempt instanceof Attempt.NotSent notSent) {
            throw notSent.reason();
        }
        throw new OntologiaException(
                ErrorKind.UNAVAILABLE,
                "the object store did not take a conditional write",
                "other writes to the same object were under way in each of " + attempts.made() + " attempts",
                "try again later");
    }

    private static OntologiaException because(OntologiaException lost, OntologiaException later) {
        if (lost != later) {
            lost.addSuppressed(later);
        }
        return lost;
    }

    private static boolean sameBytes(Payload payload, byte[] bytes) {
        if (payload instanceof Payload.InMemory inMemory) {
            return Arrays.equals(inMemory.bytes(), bytes);
        }
        if (payload.length() != bytes.length) {
            return false;
        }
        try (InputStream ours = payload.open();
                InputStream theirs = new ByteArrayInputStream(bytes)) {
            byte[] part;
            do {
                part = ours.readNBytes(1 << 16);
                if (!Arrays.equals(part, theirs.readNBytes(part.length))) {
                    return false;
                }
            } while (part.length > 0);
            return theirs.read() < 0;
        } catch (IOException e) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "cannot compare what was stored with what was sent",
                    "the file that was sent cannot be read any more",
                    "keep a file unchanged while it is being stored",
                    e);
        }
    }
}
