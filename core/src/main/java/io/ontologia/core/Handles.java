package io.ontologia.core;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a method a handler of events. Its first parameter is the event: a record, whose name is the event type. A second
 * one may be the {@link EventContext}. What the method returns is ignored; when it throws, the event is handled again later.
 *
 * <pre>{@code
 * @Handles("billing.bill_order")
 * void bill(OrderPlaced order, EventContext context) { … }
 * }</pre>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Handles {
    /** The handler's id. The bus remembers by it what was handled, so it stays the same when code moves. */
    String value();

    /** Of two handlers of one worker the one with the higher priority is served first. */
    long priority() default HandlerOptions.DEFAULT_PRIORITY;

    /** How many events one worker hands to the method at the same time. */
    int concurrency() default 1;
}
