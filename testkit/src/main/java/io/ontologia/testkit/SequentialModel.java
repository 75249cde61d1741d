package io.ontologia.testkit;

/**
 * What a shared object does when one call comes after the other.
 *
 * @param <S> its states, values with {@code equals} and {@code hashCode}
 * @param <C> the calls
 * @param <R> the replies, values with {@code equals}
 */
public interface SequentialModel<S, C, R> {

    /** The state before the first call. */
    S initial();

    /** What a call does in a state. */
    Step<S, R> apply(S state, C call);

    /**
     * The effect of a call.
     *
     * @param state the state after it
     * @param reply what the caller is told
     */
    record Step<S, R>(S state, R reply) {}
}
