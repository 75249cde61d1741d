package io.ontologia.core.internal;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.lang.ref.Cleaner;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The streams that one session has open. They end when they were read to their end, when they are closed, when a terminal
 * operation is over, when nothing refers to them any more, and at the latest when the session is closed.
 */
public final class OpenStreams implements AutoCloseable {
    private static final Cleaner CLEANER = Cleaner.create();

    private final Set<Owned<?>> open = ConcurrentHashMap.newKeySet();

    /** Takes over a stream of a store. */
    public <T> Stream<T> own(Stream<T> source) {
        Owned<T> owned = new Owned<>(source, open);
        open.add(owned);
        Rows<T> rows = new Rows<>(owned);
        CLEANER.register(rows, owned::close);
        return ClosingStreams.of(StreamSupport.stream(rows, false).onClose(owned::close));
    }

    /** How many are open. */
    public int count() {
        return open.size();
    }

    /** Ends all that are open; whoever reads on gets an error. */
    @Override
    public void close() {
        open.forEach(Owned::close);
    }

    /** What the user of a stream refers to. */
    private static final class Rows<T> extends Spliterators.AbstractSpliterator<T> {
        private final Owned<T> owned;

        private Rows(Owned<T> owned) {
            super(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL);
            this.owned = owned;
        }

        @Override
        public boolean tryAdvance(Consumer<? super T> action) {
            return owned.tryAdvance(action);
        }
    }

    /** A stream of a store, read by one thread and closed by any. */
    private static final class Owned<T> {
        private enum State {
            OPEN,
            AT_END,
            CLOSED
        }

        private final Stream<T> source;
        private final Spliterator<T> rows;
        private final Set<Owned<?>> open;
        private final ReentrantLock lock = new ReentrantLock();
        private final List<T> fetched = new ArrayList<>(1);
        private State state = State.OPEN;

        private Owned(Stream<T> source, Set<Owned<?>> open) {
            this.source = source;
            this.rows = source.spliterator();
            this.open = open;
        }

        private boolean tryAdvance(Consumer<? super T> action) {
            T row;
            lock.lock();
            try {
                if (state == State.AT_END) {
                    return false;
                }
                if (state == State.CLOSED) {
                    throw new OntologiaException(
                            ErrorKind.CLOSED,
                            "cannot read on",
                            "the stream or its session was closed",
                            "read a stream before its session is closed, or open another one");
                }
                if (!rows.tryAdvance(fetched::add)) {
                    end(State.AT_END);
                    return false;
                }
                row = fetched.remove(0);
            } finally {
                lock.unlock();
            }
            action.accept(row);
            return true;
        }

        private void close() {
            lock.lock();
            try {
                if (state == State.OPEN) {
                    end(State.CLOSED);
                }
            } finally {
                lock.unlock();
            }
        }

        private void end(State last) {
            state = last;
            open.remove(this);
            source.close();
        }
    }
}
