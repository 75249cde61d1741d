package io.ontologia.core;

import io.ontologia.core.internal.CommitTimes;
import io.ontologia.core.spi.DigestChain;
import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.StoreHistory;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What an operator does with a store as a whole, whatever types it knows: migrate it, remove types, look at its lock, check
 * it. All methods may be called from many threads.
 *
 * <pre>{@code
 * try (var maintenance = Ontologia.maintain("sqlite:///onto.db", SessionOptions.defaults())) {
 *     Migration migration = maintenance.migration(model, upgraders);
 *     MigrationPlan plan = migration.preview();
 *     migration.apply(plan.token(), Map.of("why", "release 7"), Progress.none());
 * }
 * }</pre>
 */
public final class Maintenance implements AutoCloseable {
    private final Storage storage;
    private final SessionOptions options;

    Maintenance(Storage storage, SessionOptions options) {
        this.storage = storage;
        this.options = options;
    }

    /** A migration to the types of a model. */
    public Migration migration(Model model, Upgraders upgraders) {
        return new Migration(storage, options, model, upgraders, Migration.LOCK_TIMEOUT);
    }

    /** The removal of a type. */
    public SchemaDrop drop(TypeRef target) {
        return new SchemaDrop(storage, options, target);
    }

    /**
     * The erasure of rows.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when no row is named, or the rows are not of the type's kind
     */
    public Erasure erasure(TypeRef type, Collection<? extends Identity> identities) {
        return new Erasure(storage, options, type, identities);
    }

    /**
     * Removes the content of rows that were erased before, as far as that is possible now: for an erasure that was interrupted, or that
     * readers kept from its end.
     *
     * @return what still holds content of erased rows
     */
    public ErasureRemains finishErasures(Progress progress) {
        return storage.eraser().finish(options.runtimeId(), progress);
    }

    /**
     * Looks for content of erased rows that is still in the store, in files that no query reads. Changes nothing.
     *
     * @return what was found; none of it {@linkplain Finding#isProblem is a problem} when the content of all erased rows is gone
     */
    public List<Finding> checkErased(Progress progress) {
        return storage.eraser().check(progress);
    }

    /** The write lock. */
    public WriteLock lock() {
        return new WriteLock(storage, options);
    }

    /**
     * Reads everything and says what is not as it must be. Changes nothing.
     *
     * @return what was found, the worst first; the store is in order when none of it {@linkplain Finding#isProblem is a
     *     problem}
     */
    public List<Finding> check(Progress progress) {
        List<Finding> findings = new ArrayList<>(storage.check(progress));
        new CommitTimes(storage, options.storage().clock()).finding().ifPresent(findings::add);
        findings.sort(Comparator.comparing(Finding::severity));
        return findings;
    }

    /**
     * As {@link #check(Progress)}, and proves that nothing was changed up to the commit that had a digest once: when that is not
     * so, one of the findings is an error.
     *
     * @param digest as {@link #digest} gave it, kept since in another place
     */
    public List<Finding> check(String digest, Progress progress) {
        List<Finding> findings = new ArrayList<>(check(progress));
        if (commitOf(digest, progress).isEmpty()) {
            findings.add(
                    0,
                    new Finding(
                            "digest-unknown",
                            Finding.Severity.ERROR,
                            "no commit has the given digest: the history was changed since, or it is the digest of another store",
                            1,
                            digest));
        }
        return List.copyOf(findings);
    }

    /** The commit whose digest, computed from its rows, is the given one; empty when there is none. */
    public OptionalLong commitOf(String digest, Progress progress) {
        try (StoreHistory history = storage.history()) {
            DigestChain chain = new DigestChain(history);
            for (var link = chain.next(); link.isPresent(); link = chain.next()) {
                long id = link.get().commit().id();
                progress.report("digests", id, history.head());
                if (link.get().digest().equals(digest)) {
                    return OptionalLong.of(id);
                }
            }
            return OptionalLong.empty();
        } catch (OntologiaException e) {
            if (e.kind() != ErrorKind.CORRUPT) {
                throw e;
            }
            return OptionalLong.empty();
        }
    }

    /**
     * The digest of a commit, or of the newest one: the recorded one, or, where none is recorded, the one that follows from the
     * rows.
     *
     * @return empty when the store has no commit
     * @throws OntologiaException of kind {@link ErrorKind#NOT_FOUND} when there is no such commit
     */
    public Optional<CommitInfo> digest(OptionalLong commitId, Progress progress) {
        long wanted = commitId.orElseGet(storage::head);
        if (wanted == 0 && commitId.isEmpty()) {
            return Optional.empty();
        }
        CommitInfo commit = storage.commit(wanted)
                .orElseThrow(() -> new OntologiaException(
                        ErrorKind.NOT_FOUND,
                        "no digest of commit " + wanted,
                        "there is no such commit",
                        "'onto commits' lists them"));
        if (commit.digest().isPresent()) {
            return Optional.of(commit);
        }
        try (StoreHistory history = storage.history()) {
            return new DigestChain(history)
                    .upTo(OptionalLong.of(wanted), progress)
                    .map(link -> new CommitInfo(
                            commit.id(),
                            commit.at(),
                            commit.operations(),
                            commit.metadata(),
                            Optional.of(link.digest())));
        }
    }

    /**
     * Records the digest of every commit that has none, such as those of earlier versions and of other programs.
     *
     * @return how many digests were recorded
     */
    public long recordDigests(Progress progress) {
        return storage.recordDigests(options.runtimeId(), progress);
    }

    /** Where the store is, and how much is in it. */
    public StorageInfo info(StorageInfo.Detail detail) {
        return storage.info(detail);
    }

    /**
     * Copies the whole store to an empty one, on whatever backend: every commit with its id, time and metadata, every version
     * of every row, every version of every schema, also of types that were dropped. Then reads the copy and compares. This
     * store is only read, as it is at one moment; others may go on writing to it. The target stays empty until everything is
     * there.
     *
     * @throws OntologiaException of kind {@link ErrorKind#CONFLICT} when the target is not empty, or somebody wrote to it
     *     meanwhile; of kind {@link ErrorKind#CORRUPT} when this store is damaged, or the copy differs from it
     */
    public CopyResult copyTo(Maintenance target, Progress progress) {
        return new StoreCopy(storage, target.storage, options.runtimeId(), progress).run();
    }

    /** The storage behind it, for tools. */
    public Storage storage() {
        return storage;
    }

    /** Lets go of the store. Idempotent. */
    @Override
    public void close() {
        storage.close();
    }
}
