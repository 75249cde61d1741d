package io.ontologia.nameservice;

import io.ontologia.testkit.SequentialModel;
import java.util.Optional;

/**
 * One concern of one record, and the record's coming and going, when one call comes after the other. Values are texts: the watermark, the
 * state and whose push it was.
 */
final class RecordModel implements SequentialModel<Optional<RecordModel.State>, RecordModel.Call, RecordModel.Reply> {
    private final Concern concern;

    RecordModel(Concern concern) {
        this.concern = concern;
    }

    /** A record that exists. */
    record State(String value, boolean retracted) {}

    /** What can be asked. */
    sealed interface Call {}

    record Push(String expected, String next) implements Call {}

    record Read() implements Call {}

    record Retract() implements Call {}

    record Restore() implements Call {}

    record Purge() implements Call {}

    record Create() implements Call {}

    /** What is answered. */
    sealed interface Reply {}

    record Updated() implements Reply {}

    record Conflict(String actual) implements Reply {}

    record Retracted() implements Reply {}

    record NotFound() implements Reply {}

    record Value(Optional<String> value) implements Reply {}

    record Done(boolean changed) implements Reply {}

    @Override
    public Optional<State> initial() {
        return Optional.of(new State(concern == Concern.STATUS ? "1 ready " : "0 ", false));
    }

    @Override
    public Step<Optional<State>, Reply> apply(Optional<State> state, Call call) {
        if (call instanceof Read) {
            return new Step<>(state, new Value(state.map(State::value)));
        }
        if (call instanceof Create) {
            return state.isPresent() ? new Step<>(state, new Done(false)) : new Step<>(initial(), new Done(true));
        }
        if (call instanceof Purge && state.isEmpty()) {
            // Whoever finishes what another purge began says that it purged, too.
            return new Step<>(state, new Done(true));
        }
        if (state.isEmpty()) {
            return new Step<>(state, new NotFound());
        }
        State record = state.get();
        if (call instanceof Push push) {
            if (record.retracted()) {
                return new Step<>(state, new Retracted());
            }
            return record.value().equals(push.expected())
                    ? new Step<>(Optional.of(new State(push.next(), false)), new Updated())
                    : new Step<>(state, new Conflict(record.value()));
        }
        if (call instanceof Purge) {
            return record.retracted()
                    ? new Step<>(Optional.empty(), new Done(true))
                    : new Step<>(state, new Done(false));
        }
        boolean retract = call instanceof Retract;
        return record.retracted() == retract
                ? new Step<>(state, new Done(false))
                : new Step<>(Optional.of(new State(after(record.value(), retract), retract)), new Done(true));
    }

    private String after(String value, boolean retract) {
        if (concern != Concern.STATUS) {
            return value;
        }
        String[] parts = value.split(" ", -1);
        return (Long.parseLong(parts[0]) + 1) + (retract ? " retracted " : " ready ") + parts[2];
    }
}
