package io.ontologia.cli.internal.access;

import io.ontologia.cli.internal.output.Output;
import io.ontologia.cli.internal.output.Progress;
import org.jspecify.annotations.Nullable;

/** Shows how far the ontology has come with long work, one step after the other. */
public final class ShownProgress implements io.ontologia.core.Progress, AutoCloseable {
    private final Output output;
    private final String verb;
    private String step = "";
    private long shown;
    private @Nullable Progress current;

    /** @param verb what is being done to each step: {@code migrating} */
    public ShownProgress(Output output, String verb) {
        this.output = output;
        this.verb = verb;
    }

    @Override
    public void report(String name, long done, long total) {
        Progress progress = current;
        if (progress == null || !step.equals(name)) {
            close();
            progress = output.progress(verb + " " + name, total);
            current = progress;
            step = name;
            shown = 0;
        }
        progress.advance(done - shown);
        shown = done;
    }

    @Override
    public void close() {
        if (current != null) {
            current.close();
            current = null;
        }
    }
}
