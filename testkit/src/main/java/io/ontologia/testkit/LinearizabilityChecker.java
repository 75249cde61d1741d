package io.ontologia.testkit;

import io.ontologia.testkit.History.Operation;
import io.ontologia.testkit.SequentialModel.Step;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether a history can be explained by operations that each took effect at one moment between its call and its
 * reply. An operation without a reply may have taken effect at any moment after its call, or never.
 *
 * <p>The search of Wing and Gong with Lowe's memory of what was tried: exponential in the number of operations that
 * overlap, so keep histories to some dozen operations of a few actors.
 *
 * @param <S> the states of the model
 * @param <C> the calls
 * @param <R> the replies
 */
public final class LinearizabilityChecker<S, C, R> {
    private final SequentialModel<S, C, R> model;

    public LinearizabilityChecker(SequentialModel<S, C, R> model) {
        this.model = model;
    }

    /**
     * Checks a history.
     *
     * @throws AssertionError that shows the history, and how far it can be explained, when it is not linearizable
     */
    public void requireLinearizable(List<Operation<C, R>> history) {
        Search search = new Search(history);
        if (!search.succeeds()) {
            throw new AssertionError("not linearizable; the longest explanation takes "
                    + lines(search.longest)
                    + "\nof the history"
                    + lines(search.operations));
        }
    }

    /** Whether a history can be explained. */
    public boolean isLinearizable(List<Operation<C, R>> history) {
        return new Search(history).succeeds();
    }

    private static String lines(List<?> operations) {
        return operations.stream().map(o -> "\n  " + o).collect(Collectors.joining());
    }

    /** A call or a reply, in a list ordered by time from which explained operations are taken out. */
    private static final class Event {
        private final int operation;
        private final long moment;
        private final boolean isCall;
        private @Nullable Event reply;
        private @Nullable Event before;
        private @Nullable Event after;

        Event(int operation, long moment, boolean isCall) {
            this.operation = operation;
            this.moment = moment;
            this.isCall = isCall;
        }

        void takeOut() {
            unlink();
            if (reply != null) {
                reply.unlink();
            }
        }

        /** Undoes {@link #takeOut}; only right in the reverse order of taking out. */
        void putBack() {
            if (reply != null) {
                reply.relink();
            }
            relink();
        }

        private void unlink() {
            if (before != null) {
                before.after = after;
            }
            if (after != null) {
                after.before = before;
            }
        }

        private void relink() {
            if (before != null) {
                before.after = this;
            }
            if (after != null) {
                after.before = this;
            }
        }
    }

    private record Choice<S>(Event call, S stateBefore) {}

    private record Tried<S>(BitSet explained, S state) {}

    private final class Search {
        private final List<Operation<C, R>> operations;
        private final Event head = new Event(-1, -1, true);
        private final Deque<Choice<S>> choices = new ArrayDeque<>();
        private final Set<Tried<S>> tried = new HashSet<>();
        private final BitSet explained = new BitSet();
        private S state = model.initial();
        private int repliesLeft;
        private List<Operation<C, R>> longest = List.of();

        Search(List<Operation<C, R>> history) {
            operations = history.stream()
                    .sorted(Comparator.comparingLong(Operation::began))
                    .toList();
            List<Event> events = new ArrayList<>();
            for (int i = 0; i < operations.size(); i++) {
                Event call = new Event(i, operations.get(i).began(), true);
                events.add(call);
                if (operations.get(i).reply().isPresent()) {
                    call.reply = new Event(i, operations.get(i).ended(), false);
                    events.add(call.reply);
                    repliesLeft++;
                }
            }
            // At equal moments calls come first: the operations count as overlapping.
            events.sort(Comparator.<Event>comparingLong(e -> e.moment).thenComparing(e -> !e.isCall));
            Event last = head;
            for (Event event : events) {
                last.after = event;
                event.before = last;
                last = event;
            }
        }

        boolean succeeds() {
            Event event = head.after;
            while (repliesLeft > 0) {
                if (event != null && event.isCall) {
                    event = explain(event) ? head.after : event.after;
                } else if (choices.isEmpty()) {
                    return false;
                } else {
                    // A reply came whose operation is not yet explained: one of the choices before it was wrong.
                    event = takeBack(choices.pop());
                }
            }
            return true;
        }

        private boolean explain(Event call) {
            Operation<C, R> operation = operations.get(call.operation);
            Step<S, R> step = model.apply(state, operation.call());
            if (operation.reply().filter(reply -> !reply.equals(step.reply())).isPresent()) {
                return false;
            }
            explained.set(call.operation);
            if (!tried.add(new Tried<>((BitSet) explained.clone(), step.state()))) {
                explained.clear(call.operation);
                return false;
            }
            choices.push(new Choice<>(call, state));
            state = step.state();
            call.takeOut();
            repliesLeft -= call.reply == null ? 0 : 1;
            if (choices.size() > longest.size()) {
                longest = new ArrayList<>();
                choices.descendingIterator().forEachRemaining(c -> longest.add(operations.get(c.call().operation)));
            }
            return true;
        }

        private @Nullable Event takeBack(Choice<S> choice) {
            Event call = choice.call();
            state = choice.stateBefore();
            explained.clear(call.operation);
            call.putBack();
            repliesLeft += call.reply == null ? 0 : 1;
            return call.after;
        }
    }
}
