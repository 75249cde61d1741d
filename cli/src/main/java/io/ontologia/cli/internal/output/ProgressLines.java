package io.ontologia.cli.internal.output;

import java.util.HashSet;
import java.util.Set;

/** The progress lines of one run that are open. Safe for use by many threads. */
public final class ProgressLines {
    private final Set<Progress> open = new HashSet<>();
    private boolean ended;

    synchronized void opened(Progress progress) {
        if (ended) {
            progress.end();
        } else {
            open.add(progress);
        }
    }

    synchronized void closed(Progress progress) {
        open.remove(progress);
    }

    /** Removes all lines from the terminal. No line is drawn after this. */
    public synchronized void end() {
        ended = true;
        open.forEach(Progress::end);
        open.clear();
    }
}
