package io.ontologia.objectstore.internal.s3;

import io.ontologia.kernel.OntologiaException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** One request that did not succeed: what that means for whoever sent it. Never leaves this package. */
final class S3Fault extends RuntimeException {
    private static final Set<String> ANOTHER_REGION = Set.of(
            "PermanentRedirect",
            "TemporaryRedirect",
            "AuthorizationHeaderMalformed",
            "IllegalLocationConstraintException");
    private static final Set<String> THROTTLED_400 = Set.of("RequestTimeout", "Throttling", "ThrottlingException");
    private static final Set<String> BAD_CREDENTIALS_400 =
            Set.of("ExpiredToken", "InvalidToken", "TokenRefreshRequired", "InvalidAccessKeyId");

    /** What a failed request means. */
    enum Meaning {
        /** The caller has this version already. */
        NOT_MODIFIED,
        NO_SUCH_KEY,
        OUT_OF_RANGE,
        PRECONDITION_FAILED,
        /** Nothing was done, because somebody else's request was under way. */
        CONTENDED,
        /** Nothing was done, because there were too many requests or this one came too slowly. */
        THROTTLED,
        /** Nothing was sent; the server may come back. */
        UNREACHABLE,
        NO_SUCH_HOST,
        NO_TRUST,
        NO_CREDENTIALS,
        CREDENTIALS_REFUSED,
        NO_SUCH_BUCKET,
        OTHER_REGION,
        /** Nothing was done, for a reason that only the server's error code tells. */
        REJECTED,
        /** Nothing was done, for a reason that did not arrive: the body with the error code is missing or cut short. */
        CUT_SHORT,
        /** The request may have been carried out, or may still be. */
        NO_REPLY,
        /** As above, and this thread is asked to stop. */
        INTERRUPTED;

        /** Whether the same request may succeed a little later. */
        boolean passing() {
            return this == CONTENDED
                    || this == THROTTLED
                    || this == UNREACHABLE
                    || this == CUT_SHORT
                    || this == NO_REPLY;
        }

        /** Whether the request may have been carried out. */
        boolean maybeDone() {
            return this == NO_REPLY || this == INTERRUPTED;
        }
    }

    private final Meaning meaning;
    private final String answer;

    private S3Fault(Meaning meaning, String answer, Throwable cause) {
        super(answer, cause, false, false);
        this.meaning = meaning;
        this.answer = answer;
    }

    Meaning meaning() {
        return meaning;
    }

    /** What the server said, or how the connection failed; for people, without secrets. */
    String answer() {
        return answer;
    }

    /** The server's reply, when there was one. */
    Optional<S3Exception> reply() {
        return getCause() instanceof S3Exception reply ? Optional.of(reply) : Optional.empty();
    }

    /**
     * Tells what an exception of the SDK, or of reading a body, means.
     *
     * @throws OntologiaException when that is what happened, for example because a payload cannot be read
     */
    static S3Fault of(Exception e) {
        if (e instanceof S3Exception reply) {
            return ofReply(reply);
        }
        for (Throwable t = e; t != null; t = t.getCause()) {
            if (t instanceof OntologiaException known) {
                throw known;
            }
            Meaning meaning = ofConnection(t);
            if (meaning != null) {
                return new S3Fault(meaning, t.getClass().getSimpleName(), e);
            }
        }
        return new S3Fault(Meaning.NO_REPLY, rootOf(e).getClass().getSimpleName(), e);
    }

    private static @Nullable Meaning ofConnection(Throwable t) {
        if (t instanceof NamedCredentials.Missing) {
            return Meaning.NO_CREDENTIALS;
        }
        if (t instanceof AbortedException) {
            return Meaning.INTERRUPTED;
        }
        if (t instanceof UnknownHostException) {
            return Meaning.NO_SUCH_HOST;
        }
        if (t instanceof SSLHandshakeException || t instanceof SSLPeerUnverifiedException) {
            return Meaning.NO_TRUST;
        }
        if (t instanceof SSLException && thrownIn("startHandshake", t)) {
            // A server without TLS has an exception of no kind of its own.
            return Meaning.NO_TRUST;
        }
        boolean beforeSending = t instanceof ConnectException
                || t instanceof NoRouteToHostException
                || t instanceof ConnectTimeoutException
                || t instanceof ConnectionRequestTimeoutException;
        return beforeSending ? Meaning.UNREACHABLE : null;
    }

    private static S3Fault ofReply(S3Exception reply) {
        int status = reply.statusCode();
        AwsErrorDetails details = reply.awsErrorDetails();
        String code = details == null || details.errorCode() == null ? "" : details.errorCode();
        return new S3Fault(meaningOf(status, code), "HTTP " + status + (code.isEmpty() ? "" : " " + code), reply);
    }

    private static Meaning meaningOf(int status, String code) {
        if (ANOTHER_REGION.contains(code) || status == 301 || status == 307) {
            return Meaning.OTHER_REGION;
        }
        if (code.isEmpty() && (status == 400 || status == 404)) {
            return Meaning.CUT_SHORT;
        }
        return switch (status) {
            case 304 -> Meaning.NOT_MODIFIED;
            case 400 ->
                THROTTLED_400.contains(code)
                        ? Meaning.THROTTLED
                        : BAD_CREDENTIALS_400.contains(code) ? Meaning.CREDENTIALS_REFUSED : Meaning.REJECTED;
            case 401, 403 -> Meaning.CREDENTIALS_REFUSED;
            case 404 ->
                code.equals("NoSuchKey")
                        ? Meaning.NO_SUCH_KEY
                        : code.equals("NoSuchBucket") ? Meaning.NO_SUCH_BUCKET : Meaning.REJECTED;
            case 408 -> Meaning.NO_REPLY;
            case 409 -> Meaning.CONTENDED;
            case 429 -> Meaning.THROTTLED;
            case 412 -> Meaning.PRECONDITION_FAILED;
            case 416 -> Meaning.OUT_OF_RANGE;
            case 501 -> Meaning.REJECTED;
            default -> status >= 500 ? Meaning.NO_REPLY : Meaning.REJECTED;
        };
    }

    private static boolean thrownIn(String method, Throwable t) {
        return Arrays.stream(t.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals(method));
    }

    private static Throwable rootOf(Throwable e) {
        Throwable root = e;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }
}
