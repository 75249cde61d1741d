package io.ontologia.nameservice;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Migrates all records of schema version 1 in a nameservice to version 2. Idempotent: what is migrated is skipped. Resumable: from the
 * token that a progress named, or from the start. A record that cannot be migrated is reported and does not stop the others. Others may
 * use the nameservice meanwhile.
 */
public final class Migration {
    /** Errors that say something of one record, and not of the nameservice. */
    private static final Set<ErrorKind> OF_ONE_RECORD =
            EnumSet.of(ErrorKind.CORRUPT, ErrorKind.BUSY, ErrorKind.INVALID_INPUT);

    private final Nameservice names;
    private final Consumer<Progress> progress;

    /** @param progress told after every page */
    public Migration(Nameservice names, Consumer<Progress> progress) {
        this.names = names;
        this.progress = progress;
    }

    /**
     * How far it is.
     *
     * @param looked records looked at so far
     * @param migrated those that were migrated, or would be
     * @param failed those that could not be
     * @param resumeAt where a later run may resume; empty at the end
     */
    public record Progress(long looked, long migrated, long failed, Optional<String> resumeAt) {}

    /**
     * What came of it.
     *
     * @param looked records looked at, of both versions
     * @param migrated those of version 1 that were migrated, or would be
     * @param failures what could not be, with the reason
     */
    public record Report(long looked, List<Alias> migrated, List<NamePage.Unreadable> failures) {
        public Report {
            migrated = List.copyOf(migrated);
            failures = List.copyOf(failures);
        }
    }

    /** Tells what {@link #run} would do, and changes nothing. */
    public Report dryRun() {
        return run(Optional.empty(), (store, record) -> true);
    }

    /** Migrates all. */
    public Report run() {
        return run(Optional.empty(), Migration::migrated);
    }

    /** Migrates what comes after a {@link Progress#resumeAt()}. */
    public Report resume(String token) {
        return run(Optional.of(token), Migration::migrated);
    }

    private interface Action {
        boolean migrate(LegacyStore store, NameRecord record);
    }

    private static boolean migrated(LegacyStore store, NameRecord record) {
        return store.migrate(record.alias()).isPresent();
    }

    private Report run(Optional<String> from, Action action) {
        List<Alias> migrated = new ArrayList<>();
        List<NamePage.Unreadable> failures = new ArrayList<>();
        Optional<LegacyStore> store = names.legacy();
        if (store.isEmpty()) {
            return new Report(0, migrated, failures);
        }
        long looked = 0;
        Optional<String> next = from;
        do {
            LegacyStore.Page page = next.map(store.get()::after).orElseGet(store.get()::first);
            looked += page.looked();
            failures.addAll(page.unreadable());
            for (NameRecord record : page.legacy()) {
                try {
                    if (action.migrate(store.get(), record)) {
                        migrated.add(record.alias());
                    }
                } catch (OntologiaException e) {
                    if (!OF_ONE_RECORD.contains(e.kind())) {
                        throw e;
                    }
                    failures.add(new NamePage.Unreadable(record.alias().toString(), e));
                }
            }
            next = page.next();
            progress.accept(new Progress(looked, migrated.size(), failures.size(), next));
        } while (next.isPresent());
        return new Report(looked, migrated, failures);
    }
}
