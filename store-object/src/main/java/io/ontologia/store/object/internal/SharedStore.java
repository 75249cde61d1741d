package io.ontologia.store.object.internal;

import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.Doorbells;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.Clock;
import io.ontologia.kernel.RandomIds;
import io.ontologia.objectstore.ObjectCache;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.store.object.internal.engine.CacheFolder;
import io.ontologia.store.object.internal.engine.Engine;
import io.ontologia.store.object.internal.events.ClaimObjects;
import io.ontologia.store.object.internal.events.EventBus;
import io.ontologia.store.object.internal.events.EventObjects;
import io.ontologia.store.object.internal.layout.Manifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One store as this process sees it, shared by everybody here who has it open. */
final class SharedStore implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SharedStore.class);

    private final ObjectStore store;
    private final StorageOptions options;
    private final Engine engine;
    private final Runnable leaveEngine;
    private final ObjectCache cache;
    private final Path outgoing;
    private final Threads threads;
    private final Chain chain;
    private final Catalog catalog;
    private final Views views;
    private final Erasures erasures;
    private final FileResolver resolver;
    private final LocalCopies copies;
    private final Latest latest;
    private final PastOfKeys past;
    private final Answers answers;
    private final IndexKeeper indices;
    private final WriterLease lease;
    private final Writer writer;
    private final ClaimObjects claims;
    private final OutboxRelay outbox;
    private final EventBus events;
    private final Compactions compactions;
    private final HeldLocks heldLocks;

    /** @param leaveEngine is run when the store needs the engine no more */
    SharedStore(
            ObjectStore store,
            StorageOptions options,
            Engine engine,
            Runnable leaveEngine,
            ObjectCache cache,
            String storeId,
            Path outgoing,
            Threads threads) {
        this.threads = threads;
        this.store = store;
        this.options = options;
        this.engine = engine;
        this.leaveEngine = leaveEngine;
        this.cache = cache;
        this.outgoing = outgoing;
        this.chain = new Chain(store, threads.transfers());
        this.catalog = new Catalog(store, chain, options.clock(), options.random());
        this.views = new Views(store, catalog);
        this.erasures = new Erasures(store);
        this.resolver = new FileResolver(store, chain, erasures, threads.transfers());
        this.copies = new LocalCopies(store, cache, threads.transfers());
        this.latest = new Latest(engine.latest(storeId), chain, resolver, copies);
        this.past = new PastOfKeys(engine, () -> new Latest(engine.versions(storeId), chain, resolver, copies));
        this.answers = new Answers(engine, latest, past, resolver, copies);
        this.indices = new IndexKeeper(
                store,
                resolver,
                views,
                (type, part, head) -> new Compactor(this, Duration.ZERO).cut(type, part, head),
                threads.upkeep(),
                options.random());
        this.heldLocks = new HeldLocks(this, options);
        this.lease = new WriterLease(store, options, threads);
        this.writer = new Writer(this, lease);
        Doorbells bells = Doorbells.of(storeId);
        EventObjects eventObjects = new EventObjects(store, threads.transfers(), Threads::join);
        this.claims = new ClaimObjects(store, options.clock(), options.random());
        this.outbox = new OutboxRelay(store, chain, eventObjects, bells, threads.upkeep(), options.random());
        this.events = new EventBus(store, eventObjects, claims, outbox, bells, options.clock(), options.random());
        this.compactions = new Compactions(this, options);
    }

    /** Reads what everybody needs first. */
    void prime() {
        boolean mayWrite = options.mode() == StorageOptions.Mode.READ_WRITE;
        views.prime(threads.transfers(), options.clock(), mayWrite, mayWrite ? List.of(lease::look) : List.of());
    }

    ObjectStore store() {
        return store;
    }

    Compactions compactions() {
        return compactions;
    }

    Clock clock() {
        return options.clock();
    }

    RandomGenerator random() {
        return options.random();
    }

    Engine engine() {
        return engine;
    }

    Chain chain() {
        return chain;
    }

    Catalog catalog() {
        return catalog;
    }

    Views views() {
        return views;
    }

    FileResolver resolver() {
        return resolver;
    }

    /** What was erased. */
    Erasures erasures() {
        return erasures;
    }

    /** All records of the event bus, for copies. */
    BusObjects bus() {
        return new BusObjects(store, threads.transfers(), options.random());
    }

    /** The snapshots of a type and what is known of their origin; read now. */
    Snapshots snapshots(TypeRef type) {
        return Snapshots.of(type, store, threads.transfers());
    }

    LocalCopies copies() {
        return copies;
    }

    Latest latest() {
        return latest;
    }

    /** Local tables may hold rows that were erased: their files are deleted when the store is closed. */
    void discardTablesOnClose() {
        latest.tables().discardOnClose();
        past.discardOnClose();
    }

    Answers answers() {
        return answers;
    }

    IndexKeeper indices() {
        return indices;
    }

    Writer writer() {
        return writer;
    }

    ClaimObjects claims() {
        return claims;
    }

    OutboxRelay outbox() {
        return outbox;
    }

    EventBus events() {
        return events;
    }

    /** How long a claim must last, at least, when a commit is made on its behalf. */
    Duration claimLease() {
        return options.leaseTtl();
    }

    HeadFence headFence() {
        return new HeadFence(store, options.random());
    }

    HeadSwap headSwap() {
        return new HeadSwap(store, chain, heldLocks.gate());
    }

    Upload upload() {
        return new Upload(store, engine, threads.transfers(), outgoing);
    }

    /** The name of a file of our own that does not exist yet. */
    Path temporaryFile(String suffix) {
        return CacheFolder.ensure(outgoing).resolve(RandomIds.hex(options.random(), 16) + suffix);
    }

    /** Removes a file of our own. */
    void discard(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.atWarn()
                    .addKeyValue("file", file)
                    .addKeyValue("reason", e.toString())
                    .log("file not removed");
        }
    }

    /** Every row that a commit wrote for a type: from its own file, or, when that is gone, from the snapshot that has them. */
    Stream<StoredRow> rowsOfCommit(Manifest manifest, Manifest.File file, View view) {
        return new CommitRows(this).of(manifest, file, view);
    }

    /** The holds of the write lock that sessions of this process acquired. */
    HeldLocks heldLocks() {
        return heldLocks;
    }

    /** Gives back every hold of the write lock, because the process ends. No commit becomes visible from then on. */
    void releaseLocks() {
        heldLocks.releaseAtExit(lease::close);
    }

    /** Leaves every index at the newest commit. */
    void flush() {
        indices.flush();
    }

    @Override
    public void close() {
        compactions.close();
        try {
            flush();
            writer.close();
            heldLocks.release();
        } finally {
            threads.shutdown();
            past.close();
            latest.tables().close();
            leaveEngine.run();
            cache.close();
            store.close();
        }
    }
}
