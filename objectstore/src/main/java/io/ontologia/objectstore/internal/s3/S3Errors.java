package io.ontologia.objectstore.internal.s3;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.S3Options;
import java.net.URI;

/** The errors that callers of the store get to see: one line each, without secrets. */
final class S3Errors {
    private final S3Location location;
    private final String server;

    S3Errors(S3Location location, S3Options options) {
        this.location = location;
        this.server = options.endpoint().map(URI::toString).orElse("AWS");
    }

    /** For a request that certainly changed nothing. */
    OntologiaException of(String problem, S3Fault fault) {
        return switch (fault.meaning()) {
            case NO_SUCH_BUCKET ->
                error(
                        ErrorKind.NOT_FOUND,
                        problem,
                        fault,
                        "there is no bucket '" + location.bucket() + "' at " + server,
                        "create it, or correct the URI");
            case NO_CREDENTIALS ->
                error(
                        ErrorKind.UNAVAILABLE,
                        problem,
                        fault,
                        "no credentials were found",
                        "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or configure another source of the AWS default"
                                + " chain");
            case CREDENTIALS_REFUSED ->
                error(
                        ErrorKind.UNAVAILABLE,
                        problem,
                        fault,
                        server + " denied access (" + fault.answer() + ")",
                        "check the credentials, their rights on the bucket, and this machine's clock");
            case OTHER_REGION ->
                error(
                        ErrorKind.INVALID_INPUT,
                        problem,
                        fault,
                        "the bucket is not in the configured region (" + fault.answer() + ")",
                        "set s3_region or AWS_REGION to the region of the bucket");
            case NO_SUCH_HOST ->
                error(
                        ErrorKind.UNAVAILABLE,
                        problem,
                        fault,
                        "the host of " + server + " has no address",
                        "check s3_endpoint_url, s3_region and the name service of this machine");
            case NO_TRUST ->
                error(
                        ErrorKind.UNAVAILABLE,
                        problem,
                        fault,
                        "no secure connection to " + server + " can be made (" + fault.answer() + ")",
                        "check its certificate, and that it speaks https");
            case UNREACHABLE ->
                error(
                        ErrorKind.UNAVAILABLE,
                        problem,
                        fault,
                        "cannot connect to " + server + " (" + fault.answer() + ")",
                        "check s3_endpoint_url and that the server runs");
            case REJECTED, CUT_SHORT ->
                error(
                        ErrorKind.UNAVAILABLE,
                        problem,
                        fault,
                        server + " rejected the request (" + fault.answer() + ")",
                        "check that it is an S3 server which supports what this store needs");
            case INTERRUPTED -> error(ErrorKind.CLOSED, problem, fault, "the thread was interrupted", "try again");
            default ->
                error(
                        ErrorKind.UNAVAILABLE,
                        problem,
                        fault,
                        server + " gave no usable answer in time (" + fault.answer() + ")",
                        "try again later, or raise s3_request_timeout_s");
        };
    }

    /** For a write that may have been carried out. */
    OntologiaException unknown(String problem, S3Fault fault) {
        return error(
                ErrorKind.UNKNOWN_OUTCOME,
                problem,
                fault,
                "it was sent, but " + server + " did not confirm it (" + fault.answer() + ")",
                "read before doing anything else");
    }

    /** For any use after closing. */
    OntologiaException closed() {
        return new OntologiaException(
                ErrorKind.CLOSED, "cannot use the store " + location, "it was closed", "open it again");
    }

    private static OntologiaException error(
            ErrorKind kind, String problem, S3Fault fault, String cause, String remedy) {
        return new OntologiaException(kind, problem, cause, remedy, fault.getCause());
    }
}
