package io.ontologia.testkit;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Collects the warnings that one class of {@code core} gives to {@link System.Logger} on the thread that made this object.
 * Close it at the end.
 */
public final class Warnings implements AutoCloseable {
    private final List<String> messages;
    private final Runnable end;

    private Warnings(List<String> messages, Runnable end) {
        this.messages = messages;
        this.end = end;
    }

    /** Collects what is logged under the name of a class from now on. */
    public static Warnings of(Class<?> source) {
        return of(source.getName());
    }

    /** Collects what is logged under a name from now on. */
    public static Warnings of(String source) {
        List<String> messages = new CopyOnWriteArrayList<>();
        Logger logger = Logger.getLogger(source);
        Handler collecting = collecting(messages);
        logger.addHandler(collecting);
        return new Warnings(messages, () -> logger.removeHandler(collecting));
    }

    private static Handler collecting(List<String> messages) {
        Thread here = Thread.currentThread();
        return new Handler() {
            @Override
            public void publish(LogRecord entry) {
                if (Thread.currentThread() == here && entry.getLevel().intValue() >= Level.WARNING.intValue()) {
                    messages.add(entry.getMessage());
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
    }

    /** What was logged so far, oldest first. */
    public List<String> messages() {
        return List.copyOf(messages);
    }

    @Override
    public void close() {
        end.run();
    }
}
