package io.ontologia.nameservice.internal.object;

import io.ontologia.kernel.Retry;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.LegacyStore;
import io.ontologia.nameservice.NameQuery;
import io.ontologia.nameservice.NameRecord;
import java.util.Optional;

/** Finds and migrates records of version 1 among the objects. */
final class ObjectLegacyStore implements LegacyStore {
    private static final int PAGE = 200;

    private final Cells cells;
    private final RecordReader reader;
    private final Listing listing;
    private final Upgrade upgrade;
    private final Retry retry;

    ObjectLegacyStore(Cells cells, RecordReader reader, Listing listing, Upgrade upgrade, Retry retry) {
        this.cells = cells;
        this.reader = reader;
        this.listing = listing;
        this.upgrade = upgrade;
        this.retry = retry;
    }

    @Override
    public Page first() {
        return listing.legacy(NameQuery.all().pageSize(PAGE));
    }

    @Override
    public Page after(String token) {
        return listing.legacy(NameQuery.all().pageSize(PAGE).continueAt(token));
    }

    @Override
    public Optional<NameRecord> migrate(Alias alias) {
        reader.locate(alias);
        Retry.Attempts attempts = retry.start();
        boolean tried = false;
        do {
            Optional<Cell> authority = reader.authority(alias);
            if (authority.isEmpty()) {
                return Optional.empty();
            }
            if (!authority.get().isLegacy()) {
                reader.legacyKey(alias).ifPresent(this::removeLeftover);
                return tried ? reader.lookup(alias) : Optional.empty();
            }
            tried = true;
            upgrade.attempt(alias, authority.get());
        } while (attempts.waitForNext());
        throw Upgrade.busy(alias);
    }

    /** A migration that broke off after the record was there may have left the old object. */
    private void removeLeftover(String key) {
        cells.read(key).filter(Cell::isLegacy).ifPresent(cell -> {
            cells.forget(key);
            var unused = cells.store().deleteIfMatch(key, cell.etag());
        });
    }
}
