package io.ontologia.cli;

import io.ontologia.cli.internal.Invocation;
import java.lang.reflect.Constructor;
import picocli.CommandLine;
import picocli.CommandLine.IFactory;

/** Makes commands: those whose constructor takes the invocation get it, the others are made as picocli does. */
final class CommandFactory implements IFactory {
    private final Invocation invocation;

    CommandFactory(Invocation invocation) {
        this.invocation = invocation;
    }

    @Override
    public <K> K create(Class<K> type) throws Exception {
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (constructor.getParameterCount() == 1 && constructor.getParameterTypes()[0] == Invocation.class) {
                constructor.setAccessible(true);
                return type.cast(constructor.newInstance(invocation));
            }
        }
        return CommandLine.defaultFactory().create(type);
    }
}
