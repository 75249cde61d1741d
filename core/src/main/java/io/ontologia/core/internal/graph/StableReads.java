package io.ontologia.core.internal.graph;

import io.ontologia.core.Window;
import io.ontologia.core.spi.Storage;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Several reads that see one commit. The present is read as long as no commit is made meanwhile, because that is fastest; from
 * then on the commit of the first read is read as the past that it has become. For one thread.
 */
public final class StableReads {
    private final Storage storage;
    private final long head;
    private Window window;

    public StableReads(Storage storage, Window window) {
        this.storage = storage;
        this.head = window instanceof Window.Latest ? storage.head() : 0;
        this.window = window;
    }

    /** Reads once more. */
    public <T> Stream<T> read(Function<Window, Stream<T>> ask) {
        Stream<T> answer = ask.apply(window);
        if (window instanceof Window.Latest && hasMoved(answer)) {
            answer.close();
            window = new Window.AsOf(head);
            return ask.apply(window);
        }
        return answer;
    }

    private boolean hasMoved(Stream<?> answer) {
        try {
            return storage.head() != head;
        } catch (RuntimeException e) {
            answer.close();
            throw e;
        }
    }

    /** What the next read looks at. */
    public Window window() {
        return window;
    }
}
