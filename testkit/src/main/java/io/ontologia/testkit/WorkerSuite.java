package io.ontologia.testkit;

import io.ontologia.core.ClaimState;
import io.ontologia.core.Entity;
import io.ontologia.core.Event;
import io.ontologia.core.EventHandler;
import io.ontologia.core.Handlers;
import io.ontologia.core.Key;
import io.ontologia.core.Named;
import io.ontologia.core.NewEvent;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Session;
import io.ontologia.core.Worker;
import io.ontologia.core.WorkerOptions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** What the contract suites for workers share: some events, something to commit, and workers that are closed in the end. */
public abstract class WorkerSuite extends EventSuite {
    /** An event. */
    @Named("order.placed")
    public record OrderPlaced(String order, long total) {}

    /** An event that another one leads to. */
    public record OrderBilled(String order) {}

    /** Something to commit. */
    public record Invoice(@Key String id, long total) implements Entity {}

    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    final void closeWorkers() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    /** A session on this test's store, closed in the end. */
    protected final Session session() {
        Session session = Ontologia.open(uri(), options("worker"), Invoice.class);
        opened.add(session);
        return session;
    }

    /** A worker with an opening of the store of its own, closed in the end. */
    protected final Worker worker(WorkerOptions options, Handlers handlers) {
        Worker worker = Worker.of(session(), options, handlers);
        opened.add(worker);
        return worker;
    }

    /** A worker with the default options. */
    protected final Worker worker(Handlers handlers) {
        return worker(WorkerOptions.of(NS), handlers);
    }

    /** The one handler of orders, with the id {@link #HANDLER}. */
    protected static Handlers onOrder(EventHandler<OrderPlaced> handler) {
        return Handlers.none().on(OrderPlaced.class, HANDLER, handler);
    }

    /** Enqueues an order. */
    protected final Event place(String order) {
        return enqueue(NewEvent.of(NS, new OrderPlaced(order, 7)));
    }

    /** The types of the events there are, in the order of the bus. */
    protected final List<String> types() {
        return bus().list(NS, 1000).stream()
                .map(listed -> listed.event().type())
                .toList();
    }

    /** How far a handler is with an event. */
    protected final ClaimState state(Event event, String handler) {
        return bus().inspect(NS, event.id()).orElseThrow().claims().stream()
                .filter(claim -> claim.handlerId().equals(handler))
                .findFirst()
                .orElseThrow();
    }
}
