package io.ontologia.naming;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernPayload;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.CreateOutcome;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.NameRetractedException;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.NewRecord;
import io.ontologia.nameservice.PushOutcome;
import io.ontologia.naming.internal.StoreUri;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The record of a store: what its concerns say about it. {@code config.storage_uri} is the store; {@code head.address} is the
 * store and the commit, {@code head.t} the commit's id; {@code index.default.t} is the commit up to which files were merged.
 *
 * <p>May be used from many threads.
 */
public final class StoreRecord {
    /** The field of the config that names the store. */
    public static final String STORAGE_URI = "storage_uri";

    private static final int TRIES = 10;

    private final Nameservice names;
    private final Alias alias;
    private final String storageUri;

    /**
     * The record under an alias, for a store.
     *
     * @param storageUri where the store is; a relative path means one below the folder that this process works in
     */
    public StoreRecord(Nameservice names, Alias alias, String storageUri) {
        this.names = names;
        this.alias = alias;
        this.storageUri = StoreUri.absolute(storageUri);
    }

    /** Its alias. */
    public Alias alias() {
        return alias;
    }

    /** The store that a record is of; empty when it does not say. */
    public static Optional<String> storageUri(NameRecord record) {
        return record.config().payload().flatMap(config -> config.text(STORAGE_URI));
    }

    /**
     * The store that a record is of.
     *
     * @throws NameRetractedException when it is retracted
     * @throws OntologiaException when it does not say, or says something that is no store
     */
    public static String requireStorageUri(NameRecord record) {
        if (record.isRetracted()) {
            throw new NameRetractedException(record.alias());
        }
        String uri = storageUri(record)
                .orElseThrow(() -> new OntologiaException(
                        ErrorKind.NOT_FOUND,
                        "cannot open '" + record.alias() + "'",
                        "its config does not name a store",
                        "push a config with the field " + STORAGE_URI));
        if (uri.startsWith("ns:")) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "cannot open '" + record.alias() + "'",
                    "its config names another name instead of a store",
                    "push a config whose " + STORAGE_URI + " is the URI of a store");
        }
        return uri;
    }

    /**
     * Brings the head of the record to a commit of the store. Creates the record when there is none.
     *
     * @throws NameRetractedException when it is retracted
     * @throws OntologiaException when the nameservice cannot be reached, or others keep changing the record
     */
    public Publication bring(long commitId) {
        NameRecord record = establish();
        Optional<String> other = storageUri(record).filter(uri -> !uri.equals(storageUri));
        if (other.isPresent()) {
            return new Publication.Diverged(alias + " is the name of " + other.get() + ", not of " + storageUri);
        }
        return commitId == 0 ? new Publication.Level(record.head().watermark()) : move(record.head(), commitId);
    }

    private Publication move(ConcernValue seen, long commitId) {
        ConcernPayload next = ConcernPayload.of(Map.of("address", storageUri + "#" + commitId, "t", commitId));
        ConcernValue current = seen;
        for (int i = 0; i < TRIES; i++) {
            if (current.watermark() > commitId) {
                return new Publication.Level(current.watermark());
            }
            if (current.watermark() == commitId) {
                boolean same = current.payload()
                        .flatMap(payload -> payload.text("address"))
                        .equals(next.text("address"));
                return same
                        ? new Publication.Level(commitId)
                        : new Publication.Diverged(alias + " has another commit " + commitId);
            }
            PushOutcome outcome = names.push(alias, Concern.HEAD, current, ConcernValue.of(commitId, next));
            if (outcome instanceof PushOutcome.Updated) {
                return new Publication.Moved(current.watermark(), commitId);
            }
            if (outcome instanceof PushOutcome.Unknown unknown) {
                throw unknown.reason();
            }
            current = ((PushOutcome.Conflict) outcome).actual();
        }
        throw busy(Concern.HEAD);
    }

    /** The record, created when there is none, with a config that names its store. */
    private NameRecord establish() {
        NameRecord record = names.lookup(alias).orElseGet(this::create);
        if (record.isRetracted()) {
            throw new NameRetractedException(alias);
        }
        if (storageUri(record).isPresent()) {
            return record;
        }
        ConcernValue config = change(
                Concern.CONFIG,
                record.config(),
                payload -> payload.text(STORAGE_URI).isPresent() ? payload : payload.with(STORAGE_URI, storageUri));
        return record.with(Concern.CONFIG, config);
    }

    private NameRecord create() {
        CreateOutcome outcome = names.create(NewRecord.ledger(alias));
        if (outcome instanceof CreateOutcome.Created created) {
            return created.record();
        }
        if (outcome instanceof CreateOutcome.Exists exists) {
            return exists.actual();
        }
        throw ((CreateOutcome.Unknown) outcome).reason();
    }

    /** Sets the state in the status of the record; its other fields stay. Does nothing when there is no record. */
    public void state(String state) {
        names.concern(alias, Concern.STATUS)
                .ifPresent(status -> change(Concern.STATUS, status, payload -> payload.with("state", state)));
    }

    /** Says that an index up to a commit was published. Does nothing when there is no record. */
    public void indexed(long commitId) {
        names.concern(alias, Concern.INDEX)
                .ifPresent(index -> change(Concern.INDEX, index, payload -> {
                    long revision = payload.object("default")
                            .filter(before -> before.integer("t").equals(Optional.of(commitId)))
                            .flatMap(before -> before.integer("rev"))
                            .map(rev -> rev + 1)
                            .orElse(0L);
                    return payload.with("default", Map.of("address", storageUri, "t", commitId, "rev", revision));
                }));
    }

    /** Changes a concern until nobody else was faster, and returns what it is then. */
    private ConcernValue change(Concern concern, ConcernValue seen, UnaryOperator<ConcernPayload> change) {
        ConcernValue current = seen;
        for (int i = 0; i < TRIES; i++) {
            ConcernPayload before = current.payload().orElseGet(() -> ConcernPayload.of(Map.of()));
            ConcernPayload after = change.apply(before);
            if (after.equals(before)) {
                return current;
            }
            ConcernValue next = current.next(after);
            PushOutcome outcome = names.push(alias, concern, current, next);
            if (outcome instanceof PushOutcome.Updated) {
                return next;
            }
            if (outcome instanceof PushOutcome.Unknown unknown) {
                throw unknown.reason();
            }
            current = ((PushOutcome.Conflict) outcome).actual();
        }
        throw busy(concern);
    }

    private OntologiaException busy(Concern concern) {
        return new OntologiaException(
                ErrorKind.BUSY,
                "cannot push " + concern.wireName() + " of " + alias,
                "others changed it each of the " + TRIES + " times it was tried",
                "try again");
    }
}
