package io.ontologia.testkit;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Retry;
import io.ontologia.kernel.RetryPolicy;
import io.ontologia.objectstore.DeleteOutcome;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.GetOptions;
import io.ontologia.objectstore.GetOutcome;
import io.ontologia.objectstore.ListPage;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectKey;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import io.ontologia.objectstore.StoredObject;
import io.ontologia.objectstore.internal.Attempt;
import io.ontologia.objectstore.internal.ConditionalWrites;
import io.ontologia.testkit.UnreliableNetwork.Delivery;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A client of a server behind a network that fails as a {@link FaultPlan} says. It does what the store on S3 does about
 * that: requests that certainly did nothing and unconditional ones are sent again; conditional writes whose reply got
 * lost are settled by the very same code. So its users see what users of S3 see: retries that succeed, {@link
 * ErrorKind#UNAVAILABLE} and {@link ErrorKind#UNKNOWN_OUTCOME} when they do not, unknown outcomes, and their own death.
 *
 * <p>Several clients may share one server, each with a plan of its own. Closing a client leaves the server open. Safe for
 * use by many threads.
 */
public final class FaultyObjectStore implements ObjectStore {
    private final ObjectStore server;
    private final UnreliableNetwork network;
    private final Retry retry;
    private final ConditionalWrites writes;
    private final @Nullable EarlierListings earlier;
    private volatile boolean closed;

    /**
     * A client.
     *
     * @param server the store that the requests go to
     * @param plan what goes wrong
     * @param clock what delays are waited on
     * @param retry how often and how long one operation is tried
     */
    public FaultyObjectStore(ObjectStore server, FaultPlan plan, Clock clock, Retry retry) {
        this.server = server;
        this.network = new UnreliableNetwork(plan, clock);
        this.retry = retry;
        this.writes = new ConditionalWrites(retry);
        this.earlier = plan.mayStaleLists() ? new EarlierListings(server) : null;
    }

    /** A client that tries everything four times without waiting, and whose delays take no time. */
    public FaultyObjectStore(ObjectStore server, FaultPlan plan) {
        this(
                server,
                plan,
                new SettableClock(),
                new Retry(
                        new RetryPolicy(4, Duration.ZERO, Duration.ZERO, Duration.ofMinutes(1)),
                        new SettableClock(),
                        new SplittableRandom(0)));
    }

    /**
     * Lets all requests arrive that the plan made late and that are still on their way, as the network would do sooner
     * or later, whether their client lives or not.
     */
    public void deliverLateRequests() {
        network.deliverLateRequests();
    }

    @Override
    public String location() {
        return server.location();
    }

    @Override
    public GetOutcome get(String key, GetOptions options) {
        return send(StoreOperation.GET, key, () -> server.get(key, options));
    }

    @Override
    public Optional<ObjectSummary> download(String key, Path target) {
        return send(StoreOperation.DOWNLOAD, key, () -> server.download(key, target));
    }

    @Override
    public ETag put(String key, Payload payload) {
        Payload sent = held(payload);
        return send(StoreOperation.PUT, key, () -> server.put(key, sent));
    }

    @Override
    public PutOutcome putIfAbsent(String key, Payload payload) {
        requireUsable(key);
        Payload sent = held(payload);
        return writes.putIfAbsent(
                sent, () -> sendPut(StoreOperation.PUT_IF_ABSENT, () -> server.putIfAbsent(key, sent)), () -> get(key));
    }

    @Override
    public PutOutcome putIfMatch(String key, Payload payload, ETag expected) {
        requireUsable(key);
        Payload sent = held(payload);
        return writes.putIfMatch(
                sent,
                expected,
                () -> sendPut(StoreOperation.PUT_IF_MATCH, () -> server.putIfMatch(key, sent, expected)),
                () -> get(key));
    }

    @Override
    public void delete(String key) {
        send(StoreOperation.DELETE, key, () -> {
            server.delete(key);
            return key;
        });
    }

    @Override
    public DeleteOutcome deleteIfMatch(String key, ETag expected) {
        requireUsable(key);
        return writes.deleteIfMatch(
                expected,
                () -> sendDelete(() -> server.deleteIfMatch(key, expected)),
                () -> get(key).map(StoredObject::etag));
    }

    @Override
    public Map<String, String> deleteAll(Collection<String> keys) {
        keys.forEach(ObjectKey::require);
        return send(StoreOperation.DELETE_ALL, () -> server.deleteAll(keys));
    }

    @Override
    public ListPage list(ListRequest request) {
        EarlierListings listings = earlier;
        return listings == null
                ? send(StoreOperation.LIST, () -> server.list(request))
                : send(StoreOperation.LIST, () -> listings.current(request), () -> listings.stale(request));
    }

    @Override
    public void close() {
        closed = true;
    }

    private <T> T send(StoreOperation operation, String key, Supplier<T> request) {
        ObjectKey.require(key);
        return send(operation, request);
    }

    private <T> T send(StoreOperation operation, Supplier<T> request) {
        return send(operation, request, request);
    }

    /** Sends until there is a reply. Once a reply to a write was lost, a failure means that the outcome is unknown. */
    private <T> T send(StoreOperation operation, Supplier<T> request, Supplier<T> stale) {
        requireOpen();
        Retry.Attempts attempts = retry.start();
        OntologiaException lost = null;
        while (true) {
            Delivery<T> delivery = network.send(operation, request, stale);
            if (delivery instanceof Delivery.Replied<T> replied) {
                return replied.reply();
            }
            Attempt.Failed failed = ((Delivery.Failed<T>) delivery).failure();
            if (lost == null && failed instanceof Attempt.NoReply noReply) {
                lost = noReply.reason();
            }
            if (!attempts.waitForNext()) {
                throw lost != null
                        ? lost
                        : failed instanceof Attempt.NotSent notSent ? notSent.reason() : conflict(operation);
            }
        }
    }

    private Attempt.OfPut sendPut(StoreOperation operation, Supplier<PutOutcome> request) {
        Delivery<PutOutcome> delivery = network.send(operation, request, request);
        if (delivery instanceof Delivery.Failed<PutOutcome> failed) {
            return failed.failure();
        }
        PutOutcome outcome = ((Delivery.Replied<PutOutcome>) delivery).reply();
        if (outcome instanceof PutOutcome.Written written) {
            return new Attempt.Landed(written.etag());
        }
        return outcome instanceof PutOutcome.Unknown unknown
                ? new Attempt.NoReply(unknown.reason())
                : new Attempt.PreconditionFailed();
    }

    private Attempt.OfDelete sendDelete(Supplier<DeleteOutcome> request) {
        Delivery<DeleteOutcome> delivery = network.send(StoreOperation.DELETE_IF_MATCH, request, request);
        if (delivery instanceof Delivery.Failed<DeleteOutcome> failed) {
            return failed.failure();
        }
        DeleteOutcome outcome = ((Delivery.Replied<DeleteOutcome>) delivery).reply();
        if (outcome instanceof DeleteOutcome.Deleted) {
            return new Attempt.Removed();
        }
        return outcome instanceof DeleteOutcome.Unknown unknown
                ? new Attempt.NoReply(unknown.reason())
                : new Attempt.PreconditionFailed();
    }

    private void requireUsable(String key) {
        ObjectKey.require(key);
        requireOpen();
    }

    private void requireOpen() {
        if (closed) {
            throw new OntologiaException(
                    ErrorKind.CLOSED, "cannot use the store " + location(), "it was closed", "open it again");
        }
    }

    private static OntologiaException conflict(StoreOperation operation) {
        return new OntologiaException(
                ErrorKind.UNAVAILABLE,
                "a request " + operation + " failed",
                "another write was under way",
                "try again later");
    }

    /** The bytes as they are now: a late request must not read a file that is gone by then. */
    private static Payload held(Payload payload) {
        try (InputStream in = payload.open()) {
            return Payload.of(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
