package io.ontologia.cli.internal.output;

import java.util.Map;
import java.util.Set;

/**
 * What the two output streams are connected to. Java cannot tell, so the launcher looks and says it in {@value #VARIABLE}:
 * {@code out}, {@code err}, both separated by a comma, or nothing.
 *
 * @param out whether standard output is a terminal
 * @param err whether standard error is a terminal
 * @param colour whether terminals are to be written to in colour
 */
public record Terminal(boolean out, boolean err, boolean colour) {
    /** The variable in which the launcher names the streams that are terminals. */
    public static final String VARIABLE = "ONTOLOGIA_TERMINAL";

    /** Reads the launcher's word, and the user's wish about colour: {@code NO_COLOR} or {@code TERM=dumb} mean none. */
    public static Terminal of(Map<String, String> environment) {
        Set<String> streams = Set.of(environment.getOrDefault(VARIABLE, "").split(",", -1));
        boolean colour = environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "").equals("dumb");
        return new Terminal(streams.contains("out"), streams.contains("err"), colour);
    }
}
