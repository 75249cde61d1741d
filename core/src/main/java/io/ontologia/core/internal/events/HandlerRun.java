package io.ontologia.core.internal.events;

import io.ontologia.core.Claim;
import io.ontologia.core.ClaimLostException;
import io.ontologia.core.CommitResult;
import io.ontologia.core.Event;
import io.ontologia.core.EventContext;
import io.ontologia.core.EventOptions;
import io.ontologia.core.NewEvent;
import io.ontologia.core.Outbox;
import io.ontologia.core.Session;
import io.ontologia.core.Worker;
import io.ontologia.core.spi.CommitRequest;
import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One event in one handler: what the handler says while it runs, and how it ended. */
final class HandlerRun implements EventContext {
    private static final System.Logger LOG = System.getLogger(Worker.class.getName());
    private static final int LONGEST_ERROR = 2000;

    private final HeldClaim held;
    private final EventOptions options;
    private final Clock clock;
    private final Session session;
    private final Map<String, @Nullable Object> metadata = new LinkedHashMap<>();
    private final List<NewEvent> emitted = new ArrayList<>();

    HandlerRun(
            HeldClaim held,
            EventOptions options,
            Clock clock,
            Function<UnaryOperator<CommitRequest>, Session> sessions) {
        this.held = held;
        this.options = options;
        this.clock = clock;
        this.session = sessions.apply(this::complete);
    }

    /**
     * Runs the handler.
     *
     * @return what it threw
     */
    Optional<Throwable> run() {
        try {
            if (event().chainDepth() > options.maxChainDepth()) {
                throw tooDeep(event().chainDepth());
            }
            held.handler().body().handle(event(), this);
            warnAboutPending();
            return Optional.empty();
        } catch (Throwable e) {
            // Whatever it is, the event was not handled; and an error that kills the worker would only kill the next.
            return Optional.of(e);
        } finally {
            session.discard();
            session.close();
        }
    }

    private void warnAboutPending() {
        int rows = session.pending();
        if (rows > 0) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "handler " + held.claim().handlerId() + " returned from event " + event().id() + " with "
                            + (rows == 1 ? "1 row" : rows + " rows")
                            + " pending, which are not stored: call commit() in the handler to store them");
        }
    }

    /** What a failure is called in the store. */
    static String describe(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        String text = failure instanceof OntologiaException
                ? message
                : failure.getClass().getSimpleName() + (failure.getMessage() == null ? "" : ": " + message);
        return text.length() <= LONGEST_ERROR ? text : text.substring(0, LONGEST_ERROR) + "…";
    }

    List<NewEvent> emitted() {
        return emitted;
    }

    private CommitRequest complete(CommitRequest request) {
        Claim claim = held.claim();
        if (!held.isLive(clock.now())) {
            throw new ClaimLostException(claim);
        }
        Map<String, @Nullable Object> all = new LinkedHashMap<>(metadata);
        all.putAll(request.metadata());
        all.put("event_id", event().id());
        all.put("event_type", event().type());
        all.put("root_event_id", event().rootEventId());
        all.put("handler_id", claim.handlerId());
        return request.with(all, request.outbox().onBehalfOf(claim));
    }

    @Override
    public Event event() {
        return held.claim().event();
    }

    @Override
    public long failures() {
        return held.claim().attempts();
    }

    @Override
    public Session session() {
        return session;
    }

    @Override
    public void ensure(Object first, Object... more) {
        session.ensure(first, more);
    }

    @Override
    public void metadata(String name, @Nullable Object value) {
        metadata.put(name, value);
    }

    @Override
    public CommitResult commit() {
        return session.commit();
    }

    @Override
    public CommitResult commit(Record event) {
        return commit(NewEvent.of(event().namespace(), event));
    }

    @Override
    public CommitResult commit(NewEvent event) {
        return session.commit(Map.of(), Outbox.of(consequence(event)));
    }

    @Override
    public void emit(Record event) {
        emit(NewEvent.of(event().namespace(), event));
    }

    @Override
    public void emit(NewEvent event) {
        emitted.add(consequence(event));
    }

    private NewEvent consequence(NewEvent event) {
        NewEvent next = event.causedBy(event());
        if (next.chainDepth() > options.maxChainDepth()) {
            throw tooDeep(next.chainDepth());
        }
        return next;
    }

    private OntologiaException tooDeep(long depth) {
        return new OntologiaException(
                ErrorKind.INVALID_INPUT,
                "the chain of events from " + event().rootEventId() + " is too long",
                "it would be " + depth + " deep, and max_event_chain_depth is " + options.maxChainDepth(),
                "look for handlers that cause each other's events, or raise the limit");
    }
}
