package io.ontologia.nameservice.internal.object;

import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Layout;
import java.util.List;
import java.util.Optional;

/** Removes what is left of records that are gone. */
final class Sweep {
    private final Cells cells;
    private final RecordReader reader;

    Sweep(Cells cells, RecordReader reader) {
        this.cells = cells;
        this.reader = reader;
    }

    /** Removes the satellites of a purged record, whatever layout it had. */
    void satellites(Alias alias, Cell tombstone) {
        Layout layout = tombstone.layout().map(Layout::parse).orElse(reader.layout());
        List<Part> satellites =
                Part.of(layout).stream().filter(part -> !part.isAuthority()).toList();
        cells.inParallel(satellites, part -> {
            reader.part(alias, part)
                    .filter(satellite -> isOf(tombstone, satellite))
                    .ifPresent(this::remove);
            return part;
        });
    }

    /** Removes what a purge in another layout left. */
    void other(Alias alias, Cell tombstone) {
        satellites(alias, tombstone);
        remove(tombstone);
    }

    /** Removes satellites that were read before their record was purged, those that are still the same. */
    void read(List<Optional<Cell>> satellites) {
        satellites.forEach(satellite -> satellite.ifPresent(this::remove));
    }

    /** Removes one object, if it is still what it was. */
    void remove(Cell cell) {
        cells.forget(cell.key());
        var unused = cells.store().deleteIfMatch(cell.key(), cell.etag());
    }

    /**
     * Whether a satellite belonged to the purged record, and not to one that was or is being created in its place. Where a satellite
     * has an incarnation only that decides: its seal may be that of somebody who was late.
     */
    private static boolean isOf(Cell tombstone, Cell satellite) {
        String incarnation = tombstone.incarnationOfAuthority();
        return satellite.isPurged()
                || satellite
                        .incarnation()
                        .or(() -> satellite.seal().map(Cell.Seal::incarnation))
                        .filter(incarnation::equals)
                        .isPresent();
    }
}
