package io.ontologia.cli.internal;

import io.ontologia.cli.internal.output.Output;
import io.ontologia.cli.internal.output.Tone;
import io.ontologia.core.UnreadableRowsException;
import io.ontologia.core.spi.SchemaOutdatedException;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Tells the user what went wrong: one line {@code error: problem: cause. Remedy} on standard error, or with {@code --json}
 * one document on standard output; the stack trace only with {@code --verbose}.
 */
public final class ErrorReport {
    private final Invocation invocation;

    /** Reports the errors of one run. */
    public ErrorReport(Invocation invocation) {
        this.invocation = invocation;
    }

    /** Reports an error that a command threw, and returns what to exit with. */
    public ExitCode report(Throwable thrown) {
        GlobalOptions options = invocation.options();
        return report(thrown, options.json, options.verbose);
    }

    /**
     * Reports a command line that could not be read. Its options were not read either, so they are looked for among the
     * words.
     */
    public ExitCode report(ParameterException unreadable, String... args) {
        List<String> words = Arrays.asList(args);
        return report(usageError(unreadable), words.contains("--json"), words.contains("--verbose"));
    }

    private ExitCode report(Throwable thrown, boolean json, boolean verbose) {
        if (invocation.interruption().isInterrupted()) {
            // The process ends, and what the signal left behind is reported elsewhere.
            return ExitCode.UNEXPECTED;
        }
        ExitCode code = ExitCode.UNEXPECTED;
        String kind = "unexpected";
        String message = "unexpected failure: " + describe(thrown)
                + ". Run the command again with --verbose and report what it prints";
        Map<String, ?> details = Map.of();
        OntologiaException known = known(thrown);
        if (known != null) {
            code = thrown instanceof CommandFailure failure ? failure.exitCode() : codeOf(known);
            kind = known.kind().wireName();
            message = sentence(known);
            details = known.details();
        }
        Output output = invocation.output(json ? Output.Format.JSON : Output.Format.TEXT);
        if (json) {
            Map<String, Object> error = new LinkedHashMap<>();
            error.put("kind", kind);
            error.put("message", message);
            error.put("details", details);
            output.json(Map.of("error", error));
        } else {
            output.diagnostic("error:", Tone.BAD, message);
        }
        if (verbose) {
            invocation.err().print(StackTraceText.of(thrown));
        }
        return code;
    }

    private static @Nullable OntologiaException known(Throwable thrown) {
        if (thrown instanceof CommandFailure failure) {
            return failure.error();
        }
        return MachineLimit.of(thrown).orElse(thrown instanceof OntologiaException exception ? exception : null);
    }

    private static ExitCode codeOf(OntologiaException known) {
        return known instanceof SchemaOutdatedException || known instanceof UnreadableRowsException
                ? ExitCode.MISMATCH
                : ExitCode.of(known.kind());
    }

    private static String describe(Throwable thrown) {
        String name = thrown.getClass().getSimpleName();
        String text = thrown.getMessage();
        return text == null ? name : name + ": " + text.replaceAll("\\s*\\R\\s*", " ");
    }

    /** The message with its remedy as a sentence of its own. */
    private static String sentence(OntologiaException e) {
        String message = e.getMessage();
        String remedy = e.remedy();
        int start = message.length() - remedy.length();
        return remedy.isEmpty() || !message.endsWith(remedy)
                ? message
                : message.substring(0, start)
                        + Character.toUpperCase(message.charAt(start))
                        + message.substring(start + 1);
    }

    private static OntologiaException usageError(ParameterException e) {
        String command = e.getCommandLine().getCommandSpec().qualifiedName();
        String help = "'" + command + " --help'";
        String cause = describe(e.getMessage());
        String remedy = "see " + help;
        if (e instanceof UnmatchedArgumentException unmatched) {
            String word = unmatched.getUnmatched().get(0);
            boolean group = !e.getCommandLine().getSubcommands().isEmpty();
            String what = unmatched.isUnknownOption() ? "option" : group ? "command" : "argument";
            cause = "unknown " + what + " '" + word + "'";
            List<String> suggestions = unmatched.getSuggestions();
            if (!suggestions.isEmpty()) {
                remedy = "did you mean " + String.join(" or ", suggestions) + "? See " + help;
            }
        }
        return new OntologiaException(
                ErrorKind.INVALID_INPUT, "invalid command line", cause, remedy, Map.of("command", command), e);
    }

    private static String describe(@Nullable String message) {
        return message == null || message.isEmpty()
                ? "it cannot be read"
                : Character.toLowerCase(message.charAt(0)) + message.substring(1);
    }
}
