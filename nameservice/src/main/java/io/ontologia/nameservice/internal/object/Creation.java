package io.ontologia.nameservice.internal.object;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Retry;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.CreateOutcome;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.NewRecord;
import io.ontologia.nameservice.internal.object.Cells.Swap;
import io.ontologia.nameservice.spi.RecordRules;
import io.ontologia.objectstore.ETag;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Creates records: the satellites first, without a value, then the authority, which is the moment when the record exists. What an
 * unfinished creation left behind is taken over; what an unfinished purge left behind is replaced.
 */
final class Creation {
    private final Cells cells;
    private final RecordReader reader;
    private final Sweep sweep;
    private final Retry retry;
    private final Clock clock;

    Creation(Cells cells, RecordReader reader, Sweep sweep, Retry retry, Clock clock) {
        this.cells = cells;
        this.reader = reader;
        this.sweep = sweep;
        this.retry = retry;
        this.clock = clock;
    }

    CreateOutcome create(NewRecord wanted) {
        Alias alias = wanted.alias();
        String incarnation = cells.newId();
        NameRecord record = RecordRules.unborn(wanted, clock.now()).identified(incarnation);
        String key = reader.key(alias, reader.authority());
        Retry.Attempts attempts = retry.start();
        @Nullable OntologiaException lost = null;
        do {
            Optional<List<Cell>> satellites = lost == null ? prepared(alias) : Optional.of(List.of());
            if (satellites.isPresent()) {
                Draft draft = Draft.authority(reader.layout(), record, incarnation);
                Optional<Cell> tombstone = cells.remembered(key).filter(Cell::isPurged);
                Swap swap;
                try {
                    // Of another layout: nobody would remove its satellites any more.
                    tombstone
                            .filter(cell -> !reader.isOfThisLayout(cell))
                            .ifPresent(cell -> sweep.satellites(alias, cell));
                    swap = tombstone.map(cell -> cells.replace(cell, draft)).orElseGet(() -> cells.create(key, draft));
                } catch (OntologiaException e) {
                    if (lost != null) {
                        return new CreateOutcome.Unknown(lost);
                    }
                    throw e;
                }
                if (swap instanceof Swap.Written) {
                    return new CreateOutcome.Created(record);
                }
                lost = swap instanceof Swap.Unknown unknown ? unknown.reason() : lost;
            }
            Optional<CreateOutcome> outcome = looked(alias, record, incarnation, lost);
            if (outcome.isPresent()) {
                return outcome.get();
            }
        } while (attempts.waitForNext());
        if (lost != null) {
            return new CreateOutcome.Unknown(lost);
        }
        throw Upgrade.busy(alias);
    }

    /** What is there after a creation that was not confirmed; empty when it may be tried again. */
    private Optional<CreateOutcome> looked(
            Alias alias, NameRecord record, String incarnation, @Nullable OntologiaException lost) {
        try {
            Optional<Cell> there = reader.part(alias, reader.authority());
            if (lost != null && there.flatMap(Cell::incarnation).equals(Optional.of(incarnation))) {
                return Optional.of(new CreateOutcome.Created(record));
            }
            Optional<NameRecord> actual = reader.lookup(alias);
            if (lost != null) {
                return there.isPresent() ? Optional.of(new CreateOutcome.Unknown(lost)) : Optional.empty();
            }
            return actual.map(CreateOutcome.Exists::new);
        } catch (OntologiaException e) {
            if (lost != null) {
                return Optional.of(new CreateOutcome.Unknown(lost));
            }
            throw e;
        }
    }

    /** Puts satellites in place; empty when the record exists. */
    private Optional<List<Cell>> prepared(Alias alias) {
        if (reader.authorityOrNone(alias).isPresent()) {
            return Optional.empty();
        }
        reader.otherTombstone(alias).ifPresent(tombstone -> sweep.other(alias, tombstone));
        List<Optional<Cell>> satellites = cells.inParallel(reader.satellites(), part -> prepared(alias, part));
        return satellites.stream().allMatch(Optional::isPresent)
                ? Optional.of(satellites.stream().map(Optional::orElseThrow).toList())
                : Optional.empty();
    }

    private Optional<Cell> prepared(Alias alias, Part part) {
        Retry.Attempts attempts = retry.start();
        @Nullable ETag seenBefore = null;
        do {
            if (cells.create(reader.key(alias, part), Draft.satellite(part, alias)) instanceof Swap.Written written) {
                return Optional.of(written.cell());
            }
            Optional<Cell> there = reader.part(alias, part);
            if (there.isPresent()) {
                Cell cell = there.get();
                boolean leftover = cell.seal().isPresent() || cell.isPurged();
                if (!leftover && cell.concern(part.concerns().get(0)).isUnborn()) {
                    return there;
                }
                // Read after the satellite: if there is no record now, nobody can have made one of this very version.
                if (reader.authority(alias).isPresent()) {
                    return Optional.empty();
                }
                if ((leftover || cell.etag().equals(seenBefore))
                        && cells.replace(cell, Draft.satellite(part, alias)) instanceof Swap.Written written) {
                    return Optional.of(written.cell());
                }
                seenBefore = cell.etag();
            }
        } while (attempts.waitForNext());
        throw Upgrade.busy(alias);
    }
}
