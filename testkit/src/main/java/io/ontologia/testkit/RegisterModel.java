package io.ontologia.testkit;

import java.util.Optional;

/** One object under one key: a value or nothing, read, written, and swapped if it is what the caller expects. */
public final class RegisterModel implements SequentialModel<Optional<String>, RegisterModel.Call, RegisterModel.Reply> {

    /** What can be asked of a register. */
    public sealed interface Call {}

    /** What is there? */
    public record Read() implements Call {}

    /** Put this there, whatever is there. */
    public record Write(Optional<String> next) implements Call {}

    /** Put this there if the expected is there; empty stands for nothing. */
    public record CompareAndSet(Optional<String> expected, Optional<String> next) implements Call {}

    /** What a register answers. */
    public sealed interface Reply {}

    /** This is there. */
    public record Value(Optional<String> value) implements Reply {}

    /** It is done. */
    public record Done() implements Reply {}

    /** Something else than expected was there, and nothing was done. */
    public record Mismatch() implements Reply {}

    @Override
    public Optional<String> initial() {
        return Optional.empty();
    }

    @Override
    public Step<Optional<String>, Reply> apply(Optional<String> state, Call call) {
        if (call instanceof Write write) {
            return new Step<>(write.next(), new Done());
        }
        if (call instanceof CompareAndSet swap) {
            return swap.expected().equals(state)
                    ? new Step<>(swap.next(), new Done())
                    : new Step<>(state, new Mismatch());
        }
        return new Step<>(state, new Value(state));
    }
}
