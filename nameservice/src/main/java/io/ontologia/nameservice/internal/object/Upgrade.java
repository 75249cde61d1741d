package io.ontologia.nameservice.internal.object;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Retry;
import io.ontologia.kernel.Sha256;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.internal.object.Cells.Swap;
import io.ontologia.nameservice.spi.LegacyRecords;
import java.util.Optional;

/**
 * Turns a record of version 1 into one of version 2: its satellites first, then, in one swap, its authority. Until that swap
 * readers take what the satellites do not have from the old object, so it can be broken off anywhere and be made again.
 */
final class Upgrade {
    private final Cells cells;
    private final RecordReader reader;
    private final Retry retry;

    Upgrade(Cells cells, RecordReader reader, Retry retry) {
        this.cells = cells;
        this.reader = reader;
        this.retry = retry;
    }

    /** Makes one attempt; whether it succeeded shows when the authority is read again. */
    void attempt(Alias alias, Cell legacy) {
        NameRecord record = LegacyRecords.read(legacy.document(), legacy.tree());
        String incarnation = "v1-" + Sha256.hex(alias.toString()).substring(0, 20);
        for (Part part : reader.satellites()) {
            fill(alias, part, record, incarnation);
        }
        Draft draft = Draft.authority(reader.layout(), record, incarnation).keepingUnknownFieldsOf(legacy);
        Optional<String> elsewhere = reader.legacyKey(alias);
        if (elsewhere.isEmpty()) {
            cells.replace(legacy, draft);
            return;
        }
        if (isThere(reader.key(alias, reader.authority()), draft)) {
            cells.forget(elsewhere.get());
            var unused = cells.store().deleteIfMatch(elsewhere.get(), legacy.etag());
        }
    }

    /** Puts an authority in place, also of a tombstone; whether there certainly is one now. */
    private boolean isThere(String key, Draft draft) {
        Swap swap = cells.create(key, draft);
        if (!(swap instanceof Swap.Refused)) {
            return swap instanceof Swap.Written;
        }
        Optional<Cell> there = cells.read(key);
        return there.isPresent()
                && (!there.get().isPurged() || cells.replace(there.get(), draft) instanceof Swap.Written);
    }

    private void fill(Alias alias, Part part, NameRecord record, String incarnation) {
        Concern concern = part.concerns().get(0);
        ConcernValue value = record.concern(concern);
        Retry.Attempts attempts = retry.start();
        while (true) {
            Optional<Cell> there = reader.part(alias, part);
            if (there.isEmpty()) {
                cells.create(reader.key(alias, part), Draft.satellite(part, alias));
            } else if (isFilled(there.get(), concern, value, record.isRetracted())) {
                return;
            } else {
                Draft draft = Draft.from(there.get());
                if (!value.isUnborn()) {
                    // Without incarnation: only the authority proves the record, until a push asked it.
                    draft.set(concern, value, cells.newId());
                }
                if (record.isRetracted()) {
                    draft.seal(new Cell.Seal(incarnation, incarnation));
                }
                cells.replace(there.get(), draft);
            }
            if (!attempts.waitForNext()) {
                throw busy(alias);
            }
        }
    }

    private static boolean isFilled(Cell cell, Concern concern, ConcernValue value, boolean sealed) {
        return (value.isUnborn() || !cell.concern(concern).isUnborn())
                && (!sealed || cell.seal().isPresent());
    }

    static OntologiaException busy(Alias alias) {
        return new OntologiaException(
                ErrorKind.BUSY, "cannot change '" + alias + "'", "others kept changing it", "try again");
    }
}
