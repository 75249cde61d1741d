package io.ontologia.nameservice.dynamodb.internal;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.util.Set;
import javax.net.ssl.SSLHandshakeException;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/**
 * What a failed request means: whether anything may have been changed, and whether to send it again. A failed condition is none.
 *
 * @param meaning what happened
 * @param answer what the server said, or how the connection failed; for people, without secrets
 * @param exception what the SDK threw
 */
record DynamoFault(Meaning meaning, String answer, SdkException exception) {
    private static final Set<String> THROTTLED = Set.of(
            "ProvisionedThroughputExceededException",
            "RequestLimitExceeded",
            "ThrottlingException",
            "Throttling",
            "LimitExceededException");
    private static final Set<String> CONTENDED = Set.of(
            "TransactionConflictException",
            "TransactionInProgressException",
            "TransactionCanceledException",
            "ReplicatedWriteConflictException");
    private static final Set<String> DENIED = Set.of(
            "AccessDeniedException",
            "UnrecognizedClientException",
            "MissingAuthenticationTokenException",
            "MissingAuthenticationToken",
            "IncompleteSignatureException",
            "InvalidSignatureException",
            "ExpiredTokenException");

    enum Meaning {
        /** Nothing was done, because there were too many requests. */
        THROTTLED,
        /** Nothing was done, because a transaction held the item. */
        CONTENDED,
        /** Nothing was sent. */
        UNREACHABLE,
        DENIED,
        NO_TABLE,
        /** Nothing was done, and the same request will never succeed. */
        REJECTED,
        /** The request may have been carried out, or may still be. */
        NO_REPLY,
        /** As above, and this thread is asked to stop. */
        INTERRUPTED
    }

    static DynamoFault of(SdkException e) {
        if (e instanceof ConditionalCheckFailedException) {
            throw new IllegalArgumentException("a failed condition is an outcome", e);
        }
        if (e instanceof AwsServiceException reply) {
            return ofReply(reply);
        }
        for (Throwable t = e; t != null; t = t.getCause()) {
            if (t instanceof OntologiaException known) {
                throw known;
            }
            if (t instanceof AbortedException) {
                return new DynamoFault(Meaning.INTERRUPTED, "interrupted", e);
            }
            if (t instanceof ConnectException
                    || t instanceof NoRouteToHostException
                    || t instanceof UnknownHostException
                    || t instanceof SSLHandshakeException
                    || t instanceof ConnectTimeoutException
                    || t instanceof ConnectionRequestTimeoutException) {
                return new DynamoFault(Meaning.UNREACHABLE, t.getClass().getSimpleName(), e);
            }
        }
        Throwable root = e;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return new DynamoFault(Meaning.NO_REPLY, root.getClass().getSimpleName(), e);
    }

    private static DynamoFault ofReply(AwsServiceException reply) {
        String code = reply.awsErrorDetails() == null || reply.awsErrorDetails().errorCode() == null
                ? ""
                : reply.awsErrorDetails().errorCode();
        return new DynamoFault(meaning(reply.statusCode(), code), "HTTP " + reply.statusCode() + " " + code, reply);
    }

    private static Meaning meaning(int status, String code) {
        if (THROTTLED.contains(code)) {
            return Meaning.THROTTLED;
        }
        if (CONTENDED.contains(code)) {
            return Meaning.CONTENDED;
        }
        if (DENIED.contains(code)) {
            return Meaning.DENIED;
        }
        if (code.equals("ResourceNotFoundException")) {
            return Meaning.NO_TABLE;
        }
        // A server that failed may have failed after it wrote.
        return status >= 500 || status < 400 ? Meaning.NO_REPLY : Meaning.REJECTED;
    }

    /** Whether the same request may succeed a little later. */
    boolean passing() {
        return switch (meaning) {
            case THROTTLED, CONTENDED, UNREACHABLE, NO_REPLY -> true;
            case DENIED, NO_TABLE, REJECTED, INTERRUPTED -> false;
        };
    }

    /** Whether the request may have been carried out. */
    boolean maybeDone() {
        return meaning == Meaning.NO_REPLY || meaning == Meaning.INTERRUPTED;
    }

    /** The error for a request that certainly changed nothing. */
    OntologiaException error(String problem, TableLocation location) {
        return switch (meaning) {
            case NO_TABLE ->
                error(
                        ErrorKind.NOT_FOUND,
                        problem,
                        "there is no table '" + location.table() + "'",
                        "create it with onto ns create-table, or correct the URI");
            case DENIED ->
                error(
                        ErrorKind.UNAVAILABLE,
                        problem,
                        "access was denied (" + answer + ")",
                        "check the credentials, their rights on the table, and this machine's clock");
            case UNREACHABLE ->
                error(
                        ErrorKind.UNAVAILABLE,
                        problem,
                        "cannot connect (" + answer + ")",
                        "check region and endpoint, and that the server runs");
            case THROTTLED ->
                error(
                        ErrorKind.UNAVAILABLE,
                        problem,
                        "DynamoDB has too many requests for this table (" + answer + ")",
                        "try again later, or raise the table's capacity");
            case CONTENDED ->
                error(ErrorKind.BUSY, problem, "transactions kept holding the record (" + answer + ")", "try again");
            case REJECTED ->
                tooLarge()
                        ? error(
                                ErrorKind.INVALID_INPUT,
                                problem,
                                "the record would be larger than the 400 KB that DynamoDB keeps in an item",
                                "keep large content elsewhere, and its address here")
                        : otherKey()
                                ? error(
                                        ErrorKind.INVALID_INPUT,
                                        problem,
                                        "the partition key of the table '" + location.table() + "' is not '"
                                                + location.key() + "'",
                                        location.key().equals("pk")
                                                ? "for a table of version 1 add ?key=ledger_alias to the URI"
                                                : "correct ?key= in the URI")
                                : error(
                                        ErrorKind.UNAVAILABLE,
                                        problem,
                                        "DynamoDB rejected the request (" + answer + ")",
                                        "check that the table was made for nameservices");
            case INTERRUPTED -> error(ErrorKind.CLOSED, problem, "the thread was interrupted", "try again");
            case NO_REPLY ->
                error(ErrorKind.UNAVAILABLE, problem, "no usable answer came (" + answer + ")", "try again later");
        };
    }

    /** The error for a write that may have been carried out. */
    OntologiaException unknown(String problem) {
        return error(
                ErrorKind.UNKNOWN_OUTCOME,
                problem,
                "it was sent, but not confirmed (" + answer + ")",
                "read before doing anything else");
    }

    /** Whether the key of a request is not that of the table. */
    private boolean otherKey() {
        String message = exception.getMessage();
        return message != null
                && (message.contains("does not match the schema")
                        || message.contains("missing the key")
                        || message.contains("number of conditions on the keys")
                        || message.contains("One of the required keys was not given a value"));
    }

    private boolean tooLarge() {
        String message = exception.getMessage();
        return message != null && message.contains("tem size");
    }

    private OntologiaException error(ErrorKind kind, String problem, String cause, String remedy) {
        return new OntologiaException(kind, problem, cause, remedy, exception);
    }
}
