package io.ontologia.core.internal.events;

import io.ontologia.core.Event;
import io.ontologia.core.EventContext;
import io.ontologia.core.EventHandler;
import io.ontologia.core.HandlerOptions;
import io.ontologia.core.Handles;
import io.ontologia.core.internal.records.EventBinding;
import io.ontologia.core.internal.validation.Problems;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Finds the methods of an object that are handlers. */
public final class HandlerMethods {
    private HandlerMethods() {}

    /**
     * The handlers of an object, by id.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} listing everything that is wrong
     */
    public static List<Handler> of(Object target) {
        Problems problems = new Problems();
        List<Handler> handlers = new ArrayList<>();
        for (Class<?> type = target.getClass(); type != null; type = type.getSuperclass()) {
            for (Method method : type.getDeclaredMethods()) {
                if (method.isAnnotationPresent(Handles.class) && !method.isBridge()) {
                    problems.attempt("method " + method.getName() + ": ", () -> handler(target, method))
                            .ifPresent(handlers::add);
                }
            }
        }
        if (handlers.isEmpty() && problems.none()) {
            problems.add("it has no method with @Handles. mark one");
        }
        problems.refuseIfAny("cannot use " + target.getClass().getName() + " as handlers");
        handlers.sort(Comparator.comparing(Handler::id));
        return handlers;
    }

    private static Handler handler(Object target, Method method) {
        Handles handles = method.getAnnotation(Handles.class);
        Class<?>[] parameters = method.getParameterTypes();
        boolean fits = parameters.length >= 1
                && parameters.length <= 2
                && parameters[0].isRecord()
                && (parameters.length == 1 || parameters[1] == EventContext.class);
        if (!fits) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "it has the wrong parameters",
                    "a handler takes an event, which is a record, and may take an EventContext after it",
                    "change them");
        }
        HandlerOptions options = new HandlerOptions(handles.value(), handles.priority(), handles.concurrency());
        try {
            method.setAccessible(true);
        } catch (RuntimeException e) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "it is not accessible",
                    "its package is closed to this library",
                    "make it and its class public, or open the package",
                    e);
        }
        if (parameters[0] == Event.class) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "it takes an Event, which says no type",
                    "the type of a method's events is the name of their record",
                    "take a record of your own, or use Handlers.on with the name of the type");
        }
        EventBinding<?> binding = EventBinding.of(parameters[0]);
        EventHandler<Event> body = parameters.length == 1
                ? (event, context) -> invoke(method, target, binding.read(event))
                : (event, context) -> invoke(method, target, binding.read(event), context);
        return new Handler(options, binding.type(), body);
    }

    private static void invoke(Method method, Object target, Object... arguments) throws Exception {
        try {
            method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e;
        }
    }
}
