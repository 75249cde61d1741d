package io.ontologia.kernel;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The root of everything Ontologia throws on purpose. Its message reads {@code problem: cause. remedy} on one line, and
 * its {@link #kind()} says what the caller can do about it.
 */
public class OntologiaException extends RuntimeException {
    private final ErrorKind kind;
    private final String problem;
    private final String reason;
    private final String remedy;
    private final transient Map<String, Object> details;

    /**
     * @param problem what went wrong, in the caller's words, without a full stop
     * @param cause why, without a full stop
     * @param remedy what to do now, without a full stop; empty when there is nothing to advise
     */
    public OntologiaException(ErrorKind kind, String problem, String cause, String remedy) {
        this(kind, problem, cause, remedy, null);
    }

    /** As above, keeping the exception that led here. */
    public OntologiaException(
            ErrorKind kind, String problem, String cause, String remedy, @Nullable Throwable throwable) {
        this(kind, problem, cause, remedy, Map.of(), throwable);
    }

    /** As above, with machine-readable details whose values are JSON trees. */
    public OntologiaException(
            ErrorKind kind,
            String problem,
            String cause,
            String remedy,
            Map<String, ?> details,
            @Nullable Throwable throwable) {
        super(oneLine(problem, cause, remedy), throwable);
        this.kind = kind;
        this.problem = oneLine(problem);
        this.reason = oneLine(cause);
        this.remedy = remedy;
        this.details = new LinkedHashMap<>(details);
    }

    /** What this error means to the caller. */
    public final ErrorKind kind() {
        return kind;
    }

    @Override
    public final String getMessage() {
        return Objects.requireNonNull(super.getMessage());
    }

    /** What went wrong, the first part of the message. */
    public final String problem() {
        return problem;
    }

    /** Why it went wrong, the second part of the message. */
    public final String reason() {
        return reason;
    }

    /** What the caller can do now; empty when there is nothing to advise. */
    public final String remedy() {
        return remedy;
    }

    /** Machine-readable details, in a stable order; values are JSON trees. Never secrets. */
    public final Map<String, Object> details() {
        return details == null ? Map.of() : Map.copyOf(details);
    }

    private static String oneLine(String problem, String cause, String remedy) {
        return oneLine(problem + ": " + cause + (remedy.isEmpty() ? "" : ". " + remedy));
    }

    private static String oneLine(String text) {
        return text.replaceAll("\\s*\\R\\s*", " ");
    }
}
