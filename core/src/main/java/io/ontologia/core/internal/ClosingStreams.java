package io.ontologia.core.internal;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Objects;
import java.util.Set;
import java.util.stream.BaseStream;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Streams that close themselves when a terminal operation is over, so that {@code stream().findFirst()} leaves nothing
 * open. Iterators and spliterators outlive the call that returns them: they end with their last element, with {@link
 * Stream#close}, or with their session.
 */
public final class ClosingStreams {
    private static final Set<String> NOT_TERMINAL = Set.of("iterator", "spliterator", "isParallel", "close");

    private ClosingStreams() {}

    /** A stream of the same elements that closes itself, and so do all that are made from it. */
    @SuppressWarnings("unchecked") // the proxy hands every call to a stream of the same elements
    public static <T> Stream<T> of(Stream<T> stream) {
        return (Stream<T>) closing(stream);
    }

    private static Object closing(BaseStream<?, ?> stream) {
        return Proxy.newProxyInstance(
                ClosingStreams.class.getClassLoader(), new Class<?>[] {kindOf(stream)}, new Handler(stream));
    }

    private static Class<?> kindOf(BaseStream<?, ?> stream) {
        if (stream instanceof IntStream) {
            return IntStream.class;
        }
        if (stream instanceof LongStream) {
            return LongStream.class;
        }
        return stream instanceof DoubleStream ? DoubleStream.class : Stream.class;
    }

    private record Handler(BaseStream<?, ?> stream) implements InvocationHandler {
        @Override
        public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
                throws Throwable {
            boolean terminal = BaseStream.class.isAssignableFrom(method.getDeclaringClass())
                    && !BaseStream.class.isAssignableFrom(method.getReturnType())
                    && !NOT_TERMINAL.contains(method.getName());
            Object result;
            try {
                result = method.invoke(stream, arguments);
            } catch (InvocationTargetException e) {
                Throwable failure = Objects.requireNonNullElse(e.getCause(), e);
                throw terminal ? closedAfter(failure) : failure;
            }
            if (terminal) {
                stream.close();
            }
            return result instanceof BaseStream<?, ?> next ? closing(next) : result;
        }

        private Throwable closedAfter(Throwable failure) {
            try {
                stream.close();
            } catch (RuntimeException e) {
                failure.addSuppressed(e);
            }
            return failure;
        }
    }
}
