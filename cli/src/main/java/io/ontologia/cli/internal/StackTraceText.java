package io.ontologia.cli.internal;

import io.ontologia.cli.internal.output.PlainText;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/** A stack trace as the JDK prints it, with messages on one line and without characters that steer a terminal. */
final class StackTraceText {
    private final StringBuilder text = new StringBuilder();
    private final Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());

    private StackTraceText() {}

    static String of(Throwable thrown) {
        StackTraceText trace = new StackTraceText();
        trace.add("", "", thrown);
        return trace.text.toString();
    }

    private void add(String indent, String caption, Throwable thrown) {
        boolean known = !seen.add(thrown);
        String message = PlainText.escaped(String.valueOf(thrown));
        text.append(indent).append(caption).append(message).append(known ? " (see above)\n" : "\n");
        if (known) {
            return;
        }
        for (StackTraceElement frame : thrown.getStackTrace()) {
            text.append(indent).append("\tat ").append(frame).append('\n');
        }
        for (Throwable suppressed : thrown.getSuppressed()) {
            add(indent + "\t", "Suppressed: ", suppressed);
        }
        if (thrown.getCause() != null) {
            add(indent, "Caused by: ", thrown.getCause());
        }
    }
}
