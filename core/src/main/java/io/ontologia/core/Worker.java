package io.ontologia.core;

import io.ontologia.core.internal.events.EventLoop;
import io.ontologia.core.internal.events.Handler;
import io.ontologia.core.spi.EventStore;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.kernel.BackgroundRunner;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.RandomIds;
import io.ontologia.kernel.Step;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Handles the events of a namespace. Any number of workers, in any number of processes, share the work: at no time is an
 * event in the hands of two of them for the same handler. When one crashes, others go on with its events once their lease
 * has run out.
 *
 * <pre>{@code
 * Handlers handlers = Handlers.none().on(OrderPlaced.class, "billing.bill_order", (order, context) -> {
 *     context.ensure(new Invoice(order.id(), order.total()));
 *     context.commit();
 * });
 * try (Worker worker = Worker.of(session, "shop", handlers).start()) { … }
 * }</pre>
 *
 * <p>A worker uses the store of the session that it was made with, so close it before that session; what the session has
 * pending is none of its business. All methods may be called from any thread, {@link #step} from one at a time.
 */
public final class Worker implements Step, AutoCloseable {
    private final EventStore bus;
    private final WorkerOptions options;
    private final String sessionId;
    private final EventLoop loop;
    private final Object lifecycle = new Object();
    private @Nullable Threads threads;
    private boolean closed;

    private record Threads(
            BackgroundRunner claiming,
            BackgroundRunner keeping,
            ExecutorService handling,
            EventStore.Registration doorbell) {}

    private static String hostname() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }

    private Worker(Session session, WorkerOptions options, Handlers handlers) {
        StorageOptions storage = session.options().storage();
        this.bus = session.storage().events(options.events());
        this.options = options;
        this.sessionId = RandomIds.uuid(storage.random());
        Map<String, @Nullable Object> metadata = Map.of(
                "hostname", hostname(),
                "pid", ProcessHandle.current().pid(),
                "runtime_id", session.options().runtimeId(),
                "handlers", handlers.all().stream().map(Handler::id).sorted().toList());
        this.loop = new EventLoop(
                bus,
                new EventLoop.Identity(options.namespace(), sessionId, metadata),
                storage.clock(),
                options.events(),
                options.handlerLimit(),
                handlers.all(),
                options.schedules(),
                session::another,
                options.telemetry(),
                options.onFailure());
    }

    /** A worker with the default options, which does nothing until it is started or stepped. */
    public static Worker of(Session session, String namespace, Handlers handlers) {
        return of(session, WorkerOptions.of(namespace), handlers);
    }

    /** A worker that does nothing until it is started or stepped. */
    public static Worker of(Session session, WorkerOptions options, Handlers handlers) {
        return new Worker(session, options, handlers);
    }

    /** Under which it is known on the bus. */
    public String sessionId() {
        return sessionId;
    }

    /**
     * One round on the calling thread: claims what there is for the handlers, at most {@code event_claim_limit} for each and
     * {@code max_events_per_iteration} for all, and handles it. Leases are not renewed meanwhile, unless somebody else calls
     * {@link #keepAlive}.
     *
     * @return how long to wait before the next round; empty when the worker is closed
     * @throws OntologiaException when the store does not let it claim; what it held runs out with its lease
     */
    @Override
    public Optional<Duration> step() {
        synchronized (lifecycle) {
            if (closed) {
                return Optional.empty();
            }
            if (threads != null) {
                throw new OntologiaException(
                        ErrorKind.INVALID_INPUT, "cannot step the worker", "it was started", "do one or the other");
            }
        }
        boolean claimed = loop.claim();
        loop.handleAll();
        return Optional.of(claimed ? Duration.ZERO : loop.untilNextClaim());
    }

    /**
     * Keeps what the worker holds: renews claims of which a third of the lease has passed, gives up on handlers that are over
     * their limit, and sends a heartbeat when one is due. A started worker does it by itself.
     *
     * @return how long until something may be due again
     */
    public Duration keepAlive() {
        return loop.keepAlive();
    }

    /**
     * Begins to work on threads of its own: daemons, one to claim, one to keep what is held, and as many for each handler as
     * its concurrency says. Events that this process enqueues are noticed at once, those of others with the next poll.
     *
     * @return this
     */
    public Worker start() {
        synchronized (lifecycle) {
            if (closed || threads != null) {
                throw new OntologiaException(
                        ErrorKind.INVALID_INPUT,
                        "cannot start the worker",
                        closed ? "it was closed" : "it was started",
                        "make another one");
            }
            AtomicInteger count = new AtomicInteger();
            ExecutorService handling = Executors.newCachedThreadPool(task -> {
                Thread thread = new Thread(task, "ontologia-handler-" + count.incrementAndGet());
                thread.setDaemon(true);
                return thread;
            });
            Claiming claiming = new Claiming(handling);
            BackgroundRunner claims = BackgroundRunner.start("ontologia-worker", claiming, options.onFailure());
            claiming.wakeWith(claims);
            threads = new Threads(
                    claims,
                    BackgroundRunner.start("ontologia-worker-keeper", this::keepTrying, options.onFailure()),
                    handling,
                    bus.onEnqueue(options.namespace(), claims::wake));
            // Whatever was enqueued between the first look and the doorbell.
            claims.wake();
            return this;
        }
    }

    private final class Claiming implements Step {
        private final ExecutorService handling;
        private volatile @Nullable BackgroundRunner runner;

        Claiming(ExecutorService handling) {
            this.handling = handling;
        }

        void wakeWith(BackgroundRunner other) {
            runner = other;
        }

        @Override
        public Optional<Duration> step() {
            try {
                loop.claim();
                loop.handleAll(handling, this::wake);
                return Optional.of(loop.untilNextClaim());
            } catch (RuntimeException e) {
                return afterFailure(e);
            }
        }

        private void wake() {
            BackgroundRunner present = runner;
            if (present != null) {
                present.wake();
            }
        }
    }

    private Optional<Duration> keepTrying() {
        try {
            return Optional.of(loop.keepAlive());
        } catch (RuntimeException e) {
            return afterFailure(e);
        }
    }

    private Optional<Duration> afterFailure(RuntimeException failure) {
        options.onFailure().accept(failure);
        boolean over = failure instanceof OntologiaException known && known.kind() == ErrorKind.CLOSED;
        return over ? Optional.empty() : Optional.of(options.events().pollInterval());
    }

    /**
     * Stops: claims nothing any more, hands back what waits, lets handlers that run finish for as long as the options say,
     * and hands back what they have not finished by then; such a handler may go on, but its commits are refused. Not to be
     * called by a handler. Idempotent.
     */
    @Override
    public void close() {
        Threads running;
        synchronized (lifecycle) {
            if (closed) {
                return;
            }
            closed = true;
            running = threads;
        }
        if (running == null) {
            loop.stop(Duration.ZERO);
            return;
        }
        running.doorbell().close();
        running.claiming().close();
        try {
            loop.stop(options.stopGrace());
        } finally {
            running.keeping().close();
            running.handling().shutdown();
        }
    }
}
