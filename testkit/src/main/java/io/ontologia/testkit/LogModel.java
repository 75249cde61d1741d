package io.ontologia.testkit;

import java.util.ArrayList;
import java.util.List;

/** A log that entries are appended to and never leave. */
public final class LogModel implements SequentialModel<List<String>, LogModel.Call, LogModel.Reply> {

    /** What can be asked of a log. */
    public sealed interface Call {}

    /** Append this. */
    public record Append(String entry) implements Call {}

    /** What is in it? */
    public record Read() implements Call {}

    /** What a log answers. */
    public sealed interface Reply {}

    /** It is the entry at this place, the first being 0. */
    public record Appended(int position) implements Reply {}

    /** These are all entries. */
    public record Entries(List<String> entries) implements Reply {
        public Entries {
            entries = List.copyOf(entries);
        }
    }

    @Override
    public List<String> initial() {
        return List.of();
    }

    @Override
    public Step<List<String>, Reply> apply(List<String> state, Call call) {
        if (call instanceof Append append) {
            List<String> longer = new ArrayList<>(state);
            longer.add(append.entry());
            return new Step<>(List.copyOf(longer), new Appended(state.size()));
        }
        return new Step<>(state, new Entries(state));
    }
}
