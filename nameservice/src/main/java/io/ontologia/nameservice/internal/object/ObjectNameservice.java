package io.ontologia.nameservice.internal.object;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Retry;
import io.ontologia.kernel.RetryPolicy;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.CreateOutcome;
import io.ontologia.nameservice.Layout;
import io.ontologia.nameservice.LegacyStore;
import io.ontologia.nameservice.LifecycleOutcome;
import io.ontologia.nameservice.NamePage;
import io.ontologia.nameservice.NameQuery;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.NewRecord;
import io.ontologia.nameservice.PurgeOutcome;
import io.ontologia.nameservice.PushOutcome;
import io.ontologia.nameservice.Watermarks;
import io.ontologia.nameservice.spi.RecordRules;
import io.ontologia.objectstore.ObjectStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/** Records as objects of an object store. Closing it closes the store. */
public final class ObjectNameservice implements Nameservice {
    private static final RetryPolicy POLICY =
            new RetryPolicy(500, Duration.ofMillis(1), Duration.ofMillis(50), Duration.ofMinutes(1));

    private final ObjectStore store;
    private final Layout layout;
    private final RecordReader reader;
    private final Creation creation;
    private final Pushes pushes;
    private final Lifecycles lifecycles;
    private final Purge purge;
    private final Listing listing;
    private final LegacyStore legacy;
    private volatile boolean closed;

    /**
     * @param random ids of attempts and jitter; no two clients may draw the same numbers
     * @param executor what requests that do not depend on each other run on, beside the caller
     */
    public ObjectNameservice(ObjectStore store, Layout layout, Clock clock, RandomGenerator random, Executor executor) {
        this.store = store;
        this.layout = layout;
        Cells cells = new Cells(store, random, executor);
        Retry retry = new Retry(POLICY, clock, random);
        this.reader = new RecordReader(cells, layout);
        Upgrade upgrade = new Upgrade(cells, reader, retry);
        Sweep sweep = new Sweep(cells, reader);
        this.creation = new Creation(cells, reader, sweep, retry, clock);
        this.lifecycles = new Lifecycles(cells, reader, upgrade, retry, clock);
        this.pushes = new Pushes(cells, reader, lifecycles, upgrade, retry);
        this.purge = new Purge(cells, reader, sweep, upgrade, retry);
        this.listing = new Listing(cells, reader);
        this.legacy = new ObjectLegacyStore(cells, reader, listing, upgrade, retry);
    }

    @Override
    public String location() {
        return store.location() + "?layout=" + layout;
    }

    @Override
    public CreateOutcome create(NewRecord record) {
        reader.locate(record.alias());
        return creation.create(record);
    }

    @Override
    public Optional<NameRecord> lookup(Alias alias) {
        reader.locate(alias);
        return reader.lookup(alias);
    }

    @Override
    public Optional<ConcernValue> concern(Alias alias, Concern concern) {
        reader.locate(alias);
        return reader.concern(alias, concern);
    }

    @Override
    public Optional<Watermarks> watermarks(Alias alias) {
        reader.locate(alias);
        return reader.lookup(alias).map(NameRecord::watermarks);
    }

    @Override
    public PushOutcome push(Alias alias, Concern concern, ConcernValue expected, ConcernValue next) {
        reader.locate(alias);
        return pushes.push(alias, concern, expected, next);
    }

    @Override
    public LifecycleOutcome setDeps(Alias alias, List<String> deps) {
        reader.locate(alias);
        return lifecycles.setDeps(alias, RecordRules.requireDeps(alias, deps));
    }

    @Override
    public LifecycleOutcome retract(Alias alias, String reason) {
        reader.locate(alias);
        return lifecycles.retract(alias, reason);
    }

    @Override
    public LifecycleOutcome restore(Alias alias) {
        reader.locate(alias);
        return lifecycles.restore(alias);
    }

    @Override
    public PurgeOutcome purge(Alias alias) {
        reader.locate(alias);
        return purge.purge(alias);
    }

    @Override
    public NamePage list(NameQuery query) {
        // Files are listed past the store, which would otherwise say so.
        if (closed) {
            throw new OntologiaException(
                    ErrorKind.CLOSED, "cannot use the nameservice " + location(), "it was closed", "open it again");
        }
        return listing.page(query);
    }

    @Override
    public Optional<LegacyStore> legacy() {
        return Optional.of(legacy);
    }

    @Override
    public void close() {
        closed = true;
        store.close();
    }
}
