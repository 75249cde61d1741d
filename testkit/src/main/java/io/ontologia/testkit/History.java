package io.ontologia.testkit;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What actors asked of a shared object, what they were told, and in which order that began and ended. Safe for use by
 * many threads.
 *
 * @param <C> the calls
 * @param <R> the replies
 */
public final class History<C, R> {
    private final SortedMap<Long, Operation<C, R>> operations = new TreeMap<>();
    private long moment;

    /**
     * A call with its reply.
     *
     * @param reply empty when nobody knows it; the call may then take effect at any time after it began, or never
     * @param began when it was made; moments are only good for comparison
     * @param ended when the reply came; {@link Long#MAX_VALUE} without one
     */
    public record Operation<C, R>(String actor, C call, Optional<R> reply, long began, long ended) {
        public Operation {
            if (ended <= began || (reply.isEmpty() && ended != Long.MAX_VALUE)) {
                throw new IllegalArgumentException("an operation ends after it began, and never without a reply");
            }
        }

        /** One whose reply is known. */
        public static <C, R> Operation<C, R> closed(String actor, C call, R reply, long began, long ended) {
            return new Operation<>(actor, call, Optional.of(reply), began, ended);
        }

        /** One whose outcome is unknown. */
        public static <C, R> Operation<C, R> open(String actor, C call, long began) {
            return new Operation<>(actor, call, Optional.empty(), began, Long.MAX_VALUE);
        }

        @Override
        public String toString() {
            return "[%d..%s] %s: %s -> %s"
                    .formatted(
                            began,
                            ended == Long.MAX_VALUE ? "" : ended,
                            actor,
                            call,
                            reply.map(Object::toString).orElse("?"));
        }
    }

    /** Notes that a call is being made. Until more is noted, its outcome is unknown. */
    public synchronized Call begin(String actor, C call) {
        long now = moment++;
        operations.put(now, Operation.open(actor, call, now));
        return new Call(now);
    }

    /** All operations in the order in which they began. */
    public synchronized List<Operation<C, R>> operations() {
        return List.copyOf(operations.values());
    }

    /** A call that was made. */
    public final class Call {
        private final long began;

        private Call(long began) {
            this.began = began;
        }

        /** Notes the reply. */
        public void replied(R reply) {
            synchronized (History.this) {
                operations.computeIfPresent(
                        began,
                        (key, open) -> Operation.closed(open.actor(), open.call(), reply, open.began(), moment++));
            }
        }

        /** Notes that the call failed and certainly had no effect: it leaves the history. */
        public void hadNoEffect() {
            synchronized (History.this) {
                operations.remove(began);
            }
        }
    }
}
