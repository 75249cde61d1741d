package io.ontologia.naming;

import io.ontologia.kernel.Clock;
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
import io.ontologia.nameservice.PublishOutcome;
import io.ontologia.nameservice.Publisher;
import io.ontologia.naming.internal.StoreUri;
import java.security.SecureRandom;
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

    private final Nameservice names;
    private final Publisher publisher;
    private final Alias alias;
    private final String storageUri;

    /**
     * The record under an alias, for a store.
     *
     * @param storageUri where the store is; a relative path means one below the folder that this process works in
     */
    public StoreRecord(Nameservice names, Alias alias, String storageUri) {
        this.names = names;
        this.publisher = new Publisher(names, Clock.system(), new SecureRandom());
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
     * Brings the head of the record to a commit of the store. Creates the record when there is none, and tells in its config which store
     * it is of when it does not say.
     *
     * @throws NameRetractedException when it is retracted
     * @throws OntologiaException when the nameservice cannot be reached, or others keep changing the record
     */
    public Publication bring(long commitId) {
        // Looked up each time: the name may have been given to another store meanwhile, or purged.
        Optional<String> other = establish().filter(uri -> !isOurs(uri));
        if (other.isPresent()) {
            return new Publication.Diverged(alias + " is the name of " + other.get() + ", not of " + storageUri);
        }
        if (commitId == 0) {
            return new Publication.Level(0);
        }
        ConcernValue next = ConcernValue.of(commitId, Map.of("address", storageUri + "#" + commitId, "t", commitId));
        PublishOutcome outcome = publisher.fastForward(alias, Concern.HEAD, next);
        if (outcome instanceof PublishOutcome.Published) {
            return new Publication.Moved(commitId);
        }
        if (outcome instanceof PublishOutcome.Diverged diverged) {
            long actual = diverged.actual().watermark();
            return actual > commitId
                    ? new Publication.Level(actual)
                    : new Publication.Diverged(alias + " has another commit " + commitId);
        }
        requireSettled(outcome, Concern.HEAD);
        return new Publication.Level(commitId);
    }

    /** Sees to it that there is a record and that its config names a store, and returns which. */
    private Optional<String> establish() {
        NameRecord record = names.lookup(alias).orElseGet(this::create);
        if (record.isRetracted()) {
            throw new NameRetractedException(alias);
        }
        Optional<String> named = storageUri(record);
        if (named.isEmpty()) {
            change(
                    Concern.CONFIG,
                    config -> config.text(STORAGE_URI).isPresent() ? config : config.with(STORAGE_URI, storageUri));
            named = names.concern(alias, Concern.CONFIG)
                    .flatMap(ConcernValue::payload)
                    .flatMap(config -> config.text(STORAGE_URI));
        }
        return named;
    }

    private boolean isOurs(String uri) {
        return StoreUri.absolute(uri).equals(storageUri);
    }

    /** Whether there is a record, and it is not of another store. */
    private boolean isOurs() {
        return names.concern(alias, Concern.CONFIG)
                .filter(config -> config.payload()
                        .flatMap(payload -> payload.text(STORAGE_URI))
                        .filter(uri -> !isOurs(uri))
                        .isEmpty())
                .isPresent();
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

    /**
     * Sets the state in the status of the record; its other fields stay. Does nothing when there is no record, or it is of another
     * store.
     */
    public void state(String state) {
        if (isOurs()) {
            change(Concern.STATUS, status -> status.with("state", state));
        }
    }

    /**
     * Says that an index up to a commit was published. Does nothing when there is no record, or it is of another store, or has an
     * index up to a later commit.
     */
    public void indexed(long commitId) {
        if (isOurs()) {
            change(Concern.INDEX, index -> {
                boolean late = index.object("default")
                        .flatMap(before -> before.integer("t"))
                        .filter(reached -> reached > commitId)
                        .isPresent();
                if (late) {
                    return index;
                }
                long revision = index.object("default")
                        .filter(before -> before.integer("t").equals(Optional.of(commitId)))
                        .flatMap(before -> before.integer("rev"))
                        .map(rev -> rev + 1)
                        .orElse(0L);
                return index.with("default", Map.of("address", storageUri, "t", commitId, "rev", revision));
            });
        }
    }

    private void change(Concern concern, UnaryOperator<ConcernPayload> change) {
        requireSettled(
                publisher.change(alias, concern, current -> {
                    ConcernPayload before = current.payload().orElseGet(() -> ConcernPayload.of(Map.of()));
                    return Optional.of(change.apply(before)).filter(after -> !after.equals(before));
                }),
                concern);
    }

    private void requireSettled(PublishOutcome outcome, Concern concern) {
        if (outcome instanceof PublishOutcome.Unknown unknown) {
            throw unknown.reason();
        }
        if (outcome instanceof PublishOutcome.Contended) {
            throw new OntologiaException(
                    ErrorKind.BUSY,
                    "cannot push " + concern.wireName() + " of " + alias,
                    "others changed it each time it was tried",
                    "try again");
        }
    }
}
