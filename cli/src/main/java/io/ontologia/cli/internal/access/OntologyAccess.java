package io.ontologia.cli.internal.access;

import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.config.Settings;
import io.ontologia.cli.internal.config.StorageLocation;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.core.spi.StorageOptions.Mode;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ObjectStore;
import java.nio.file.Files;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Opens the ontology that an invocation names. What is opened for reading is never created and never changed, not by a
 * byte.
 */
public final class OntologyAccess {
    private final Invocation invocation;
    private final @Nullable StorageLocation elsewhere;
    private @Nullable StorageLocation resolved;

    /** Access to what this invocation names. */
    public OntologyAccess(Invocation invocation) {
        this.invocation = invocation;
        this.elsewhere = null;
    }

    /** Access to a location, with the settings of this invocation. */
    public OntologyAccess(Invocation invocation, StorageLocation location) {
        this.invocation = invocation;
        this.elsewhere = location;
    }

    /** For reading, with the types that the store knows. */
    public Session read() {
        return Ontologia.openStored(uri(), options(Mode.READ_ONLY));
    }

    /** For writing, with the types that the store knows. A store that is not there is created. */
    public Session write() {
        invocation.interruption().mayStore();
        return warned(Ontologia.openStored(uri(), options(Mode.READ_WRITE)));
    }

    /** For reading, with the types of a model, which must be those of the store where it knows them. */
    public Session read(Model model) {
        return Ontologia.open(uri(), options(Mode.READ_ONLY), model);
    }

    /** For writing, with the types of a model; those that are new to the store are registered. */
    public Session write(Model model) {
        invocation.interruption().mayStore();
        return warned(Ontologia.open(uri(), options(Mode.READ_WRITE), model));
    }

    private Session warned(Session session) {
        try {
            TimeWarnings.print(session, invocation.output());
            return session;
        } catch (RuntimeException e) {
            session.close();
            throw e;
        }
    }

    /** For looking at it as a whole, without touching it. */
    public Maintenance inspect() {
        Maintenance maintenance = Ontologia.maintain(uri(), options(Mode.READ_ONLY));
        try {
            // Some backends look for the store only when it is asked something.
            maintenance.storage().head();
            return maintenance;
        } catch (RuntimeException e) {
            maintenance.close();
            throw e;
        }
    }

    /** For changing it as a whole. A store that is not there is not created. */
    public Maintenance maintain() {
        invocation.interruption().mayStore();
        if (!isPrepared()) {
            // Says what is missing.
            inspect().close();
        }
        return Ontologia.maintain(uri(), options(Mode.READ_WRITE));
    }

    /** For filling it as a whole. A store that is not there is created. */
    public Maintenance create() {
        invocation.interruption().mayStore();
        return Ontologia.maintain(uri(), options(Mode.READ_WRITE));
    }

    /** A store that is gone when it is closed, with the types of a model: for trying things out. */
    public Session trial(Model model) {
        return Ontologia.open(new StorageLocation.SqliteMemory().uri(), options(Mode.READ_WRITE), model);
    }

    /** Whether there is something to read. */
    public boolean exists() {
        if (location() instanceof StorageLocation.SqliteFile file) {
            return Files.exists(file.path());
        }
        return !location().isTransient() && isPrepared();
    }

    /** Whether there is a store; false also for a place that could become one. */
    public boolean isPrepared() {
        Optional<ObjectAccess> objects = ObjectAccess.of(invocation, location());
        if (objects.isPresent()) {
            // One request, where opening the store would start the engine and fill caches.
            try (ObjectStore store = objects.get().open()) {
                return location().isTransient() || store.get(StoreContent.HEAD).isPresent();
            }
        }
        try {
            inspect().close();
            return true;
        } catch (OntologiaException e) {
            if (e.kind() == ErrorKind.NOT_FOUND) {
                return false;
            }
            throw e;
        }
    }

    /** The name of the backend, whether there is a store or not. */
    public String backend() {
        return location().backend();
    }

    /** Where the ontology is. */
    public String uri() {
        return named().uri();
    }

    /** Who this run is, for locks and commits. */
    public String runtimeId() {
        return options(Mode.READ_WRITE).runtimeId();
    }

    /** How long to wait for others. */
    public Duration lockTimeout() {
        return options(Mode.READ_WRITE).storage().lockTimeout();
    }

    private SessionOptions options(Mode mode) {
        Settings settings = invocation.settings();
        // A store in memory is made for this run and gone after it: there is nothing that reading could spare.
        Mode effective = location().isTransient() ? Mode.READ_WRITE : mode;
        StorageOptions storage = StorageOptions.defaults().mode(effective).clock(invocation.clock());
        if (location() instanceof StorageLocation.Objects) {
            storage = storage.lockTimeout(settings.lockTimeout())
                    .leaseTtl(settings.leaseTtl())
                    .settings(settings.backend());
        }
        if (named() instanceof StorageLocation.Named) {
            Map<String, String> more = new HashMap<>(storage.settings());
            more.putAll(new NamesAccess(invocation).settings());
            storage = storage.settings(more);
        }
        return SessionOptions.defaults()
                .storage(storage)
                .maxBatchSize(Integer.MAX_VALUE)
                .author(settings.author());
    }

    /** Where it is, as somebody said it. */
    private StorageLocation named() {
        return elsewhere == null ? invocation.settings().storage() : elsewhere;
    }

    /** Where it is, looked up where somebody only said a name. */
    private StorageLocation location() {
        StorageLocation known = resolved;
        if (known == null) {
            known = new NamesAccess(invocation).resolve(named());
            resolved = known;
        }
        return known;
    }
}
