package io.ontologia.cli.internal.access;

import io.ontologia.cli.internal.CommandFailure;
import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.config.Settings;
import io.ontologia.cli.internal.config.StorageLocation;
import io.ontologia.core.LockHolder;
import io.ontologia.core.spi.Locks;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.LeaseHolder;
import io.ontologia.objectstore.LeaseLock;
import io.ontologia.objectstore.LeaseOptions;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStoreOptions;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.StoreCapabilities;
import io.ontologia.objectstore.StoreProbe;
import java.util.Optional;

/** Opens the object store that an invocation names, below any ontology in it. */
public final class ObjectAccess {
    private final Invocation invocation;
    private final String uri;

    private ObjectAccess(Invocation invocation, String uri) {
        this.invocation = invocation;
        this.uri = uri;
    }

    /** Access to the object store that this invocation names; empty when it names no object store. */
    public static Optional<ObjectAccess> of(Invocation invocation) {
        return of(
                invocation,
                new NamesAccess(invocation).resolve(invocation.settings().storage()));
    }

    /** Access to the object store at a location; empty when it is no object store. */
    public static Optional<ObjectAccess> of(Invocation invocation, StorageLocation location) {
        return location instanceof StorageLocation.Objects objects
                ? Optional.of(new ObjectAccess(invocation, objects.uri()))
                : Optional.empty();
    }

    /** Opens it; the caller closes it. */
    public ObjectStore open() {
        return ObjectStores.open(uri, options());
    }

    /**
     * Finds out whether it keeps the conditions of conditional writes.
     *
     * @throws CommandFailure with {@link ExitCode#MISMATCH} when it does not
     */
    public StoreCapabilities probe(ObjectStore store) {
        try {
            return StoreProbe.check(store, options().random());
        } catch (OntologiaException e) {
            // The URI was good enough to open the store: what the probe finds invalid is the store.
            throw e.kind() == ErrorKind.INVALID_INPUT ? new CommandFailure(ExitCode.MISMATCH, e) : e;
        }
    }

    /** The write lock of the ontology in it. */
    public LeaseLock writeLock(ObjectStore store, StoreCapabilities capabilities) {
        Settings settings = invocation.settings();
        return new LeaseLock(
                store,
                StoreContent.LOCK,
                invocation.clock(),
                options().random(),
                new LeaseOptions(settings.leaseTtl(), settings.lockTimeout(), capabilities.releaseStyle()));
    }

    /** The refusal when somebody else kept the write lock for as long as we were willing to wait. */
    public OntologiaException busy(String what, LeaseHolder other) {
        LockHolder holder = new LockHolder(other.ownerId(), other.acquiredAt(), other.expiresAt());
        return Locks.held(what, holder, invocation.settings().lockTimeout());
    }

    private ObjectStoreOptions options() {
        return ObjectStoreOptions.defaults()
                .lockTimeout(invocation.settings().lockTimeout())
                .clock(invocation.clock())
                .s3(invocation.settings().s3());
    }
}
