package io.ontologia.nameservice.internal.object;

import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Retry;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.NameNotFoundException;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.PurgeOutcome;
import io.ontologia.nameservice.internal.object.Cells.Swap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes records. Swapping the authority for a tombstone is the moment when the record is gone. Then the satellites are removed and
 * the tombstone last, so that whoever comes after a purge that broke off sees what is left to do.
 */
final class Purge {
    private static final Logger LOG = LoggerFactory.getLogger(Purge.class);

    private final Cells cells;
    private final RecordReader reader;
    private final Sweep sweep;
    private final Upgrade upgrade;
    private final Retry retry;

    Purge(Cells cells, RecordReader reader, Sweep sweep, Upgrade upgrade, Retry retry) {
        this.cells = cells;
        this.reader = reader;
        this.sweep = sweep;
        this.upgrade = upgrade;
        this.retry = retry;
    }

    PurgeOutcome purge(Alias alias) {
        Retry.Attempts attempts = retry.start();
        @Nullable OntologiaException lost = null;
        do {
            try {
                Optional<Cell> there = reader.part(alias, reader.authority());
                if (there.filter(Cell::isPurged).isPresent()) {
                    return swept(alias, there.get());
                }
                if (there.isEmpty() && lost != null) {
                    return new PurgeOutcome.Purged();
                }
                Optional<Cell> live = reader.authority(alias);
                Optional<Cell> other = live.isEmpty() ? reader.otherTombstone(alias) : Optional.empty();
                if (other.isPresent()) {
                    return swept(alias, other.get());
                }
                Cell authority = live.orElseThrow(() -> new NameNotFoundException(alias));
                if (authority.isLegacy()) {
                    upgrade.attempt(alias, authority);
                } else if (!authority.isRetracted()) {
                    Optional<NameRecord> active = reader.lookup(alias);
                    if (active.isPresent()) {
                        return new PurgeOutcome.StillActive(active.get());
                    }
                } else {
                    // A record of version 1 that was left behind would come back to life.
                    reader.legacyKey(alias)
                            .flatMap(cells::read)
                            .filter(Cell::isLegacy)
                            .ifPresent(sweep::remove);
                    // A foreign writer drops the incarnation, which tells satellites of this record from those of the
                    // next.
                    List<Optional<Cell>> satellites = authority.incarnation().isPresent()
                            ? List.of()
                            : cells.inParallel(reader.satellites(), part -> reader.part(alias, part));
                    Draft tombstone =
                            Draft.from(authority).layout(reader.layout()).purged();
                    satellites.stream()
                            .flatMap(Optional::stream)
                            .flatMap(satellite -> satellite.incarnation().stream())
                            .findFirst()
                            .ifPresent(tombstone::incarnation);
                    Swap swap = cells.replace(authority, tombstone);
                    if (swap instanceof Swap.Written written) {
                        sweep.read(satellites);
                        return swept(alias, written.cell());
                    }
                    lost = swap instanceof Swap.Unknown unknown ? unknown.reason() : lost;
                }
            } catch (OntologiaException e) {
                if (lost != null) {
                    return new PurgeOutcome.Unknown(lost);
                }
                throw e;
            }
        } while (attempts.waitForNext());
        if (lost != null) {
            return new PurgeOutcome.Unknown(lost);
        }
        throw Upgrade.busy(alias);
    }

    /** Removes what is left of a record that is gone. What cannot be removed now is left to the next purge or creation. */
    private PurgeOutcome swept(Alias alias, Cell tombstone) {
        try {
            sweep.satellites(alias, tombstone);
            sweep.remove(tombstone);
        } catch (OntologiaException e) {
            LOG.atInfo()
                    .addKeyValue("place", tombstone.document())
                    .addKeyValue("kind", e.kind())
                    .log("purged record not yet swept");
        }
        return new PurgeOutcome.Purged();
    }
}
