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
 * @param width how many columns standard output has; the largest number where that is not known or does not matter
 */
public record Terminal(boolean out, boolean err, boolean colour, int width) {
    /** The variable in which the launcher names the streams that are terminals. */
    public static final String VARIABLE = "ONTOLOGIA_TERMINAL";

    /**
     * Reads what the launcher found out, {@code COLUMNS} among it, and the user's wish about colour: {@code NO_COLOR} or {@code TERM=dumb}
     * mean none.
     */
    public static Terminal of(Map<String, String> environment) {
        Set<String> streams = Set.of(environment.getOrDefault(VARIABLE, "").split(",", -1));
        boolean colour = environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "").equals("dumb");
        boolean out = streams.contains("out");
        return new Terminal(out, streams.contains("err"), colour, out ? width(environment) : Integer.MAX_VALUE);
    }

    private static int width(Map<String, String> environment) {
        String columns = environment.getOrDefault("COLUMNS", "");
        return columns.matches("[1-9][0-9]{1,4}") ? Integer.parseInt(columns) : Integer.MAX_VALUE;
    }
}
