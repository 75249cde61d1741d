package io.ontologia.server.internal;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.NamePage;
import io.ontologia.nameservice.NameQuery.Secrets;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.Redaction;
import io.ontologia.server.Scope;
import java.util.Map;

/**
 * What the sender of a request sees of records and errors. Configs are redacted unless secrets were asked for; statuses and errors are
 * redacted for everyone who may not write.
 *
 * @param secrets whether secrets were asked for, by someone who may see them
 * @param scope what the sender may do
 */
record View(Secrets secrets, Scope scope) {
    /**
     * The view that a request asks for by its parameter {@code secrets}.
     *
     * @throws Refusal when it asks for secrets that it may not see
     */
    static View of(Request request) {
        String asked = request.query("secrets").orElse("redacted");
        if (asked.equals("shown")) {
            Access.requireSecrets(request.grant());
            return new View(Secrets.SHOWN, request.grant().scope());
        }
        if (!asked.equals("redacted")) {
            throw new Refusal(
                    400, ErrorKind.INVALID_INPUT, "secrets is neither 'redacted' nor 'shown'", "correct the query");
        }
        return new View(Secrets.REDACTED, request.grant().scope());
    }

    NameRecord of(NameRecord record) {
        if (secrets == Secrets.SHOWN) {
            return record;
        }
        NameRecord redacted = record.redacted();
        return scope == Scope.WRITE ? redacted : Redaction.forReaders(redacted);
    }

    ConcernValue of(Concern concern, ConcernValue value) {
        if (secrets == Secrets.SHOWN) {
            return value;
        }
        return scope == Scope.WRITE ? Redaction.of(concern, value) : Redaction.forReaders(concern, value);
    }

    NamePage of(NamePage page) {
        return new NamePage(
                page.records().stream().map(this::of).toList(),
                page.unreadable().stream()
                        .map(one -> new NamePage.Unreadable(one.place(), of(one.reason(), scope)))
                        .toList(),
                page.next());
    }

    /** A suffix for tags: the same record looks different in different views. */
    String tag() {
        if (secrets == Secrets.SHOWN) {
            return ".s";
        }
        return scope == Scope.WRITE ? "" : ".r";
    }

    /**
     * An error without what only operators of the server may know: paths, hosts and causes inside of it. What is about the request
     * itself stays.
     */
    static OntologiaException of(OntologiaException error, Scope scope) {
        if (scope == Scope.WRITE || error instanceof Refusal || error.details().containsKey("alias")) {
            return error;
        }
        return switch (error.kind()) {
            case INVALID_INPUT, NOT_FOUND, CONFLICT -> error;
            case BUSY, CLOSED, CORRUPT, UNAVAILABLE, UNKNOWN_OUTCOME ->
                new OntologiaException(
                        error.kind(),
                        "cannot answer this request",
                        error.kind() == ErrorKind.CORRUPT
                                ? "a record is damaged"
                                : "the server cannot reach its records",
                        "ask the operator of the server, whose log has the cause",
                        Map.of(),
                        null);
        };
    }
}
