package io.ontologia.nameservice.internal.object;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.Layout;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.RecordIdentity;
import io.ontologia.nameservice.spi.LegacyRecords;
import io.ontologia.nameservice.spi.RecordJson;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Finds the objects of a record and puts them together. Safe for use by many threads. */
final class RecordReader {
    private static final int LOOKS = 4;
    private static final int REMEMBERED = 4096;

    private final Cells cells;
    private final Layout layout;
    private final List<Part> parts;
    /** Where the records are that are not in their place. */
    private final Map<Alias, String> literals = new ConcurrentHashMap<>();

    RecordReader(Cells cells, Layout layout) {
        this.cells = cells;
        this.layout = layout;
        this.parts = Part.of(layout);
    }

    Layout layout() {
        return layout;
    }

    List<Part> satellites() {
        return parts.subList(1, parts.size());
    }

    Part authority() {
        return parts.get(0);
    }

    List<Part> parts() {
        return parts;
    }

    Part partOf(Concern concern) {
        return parts.stream()
                .filter(part -> part.concerns().contains(concern))
                .findFirst()
                .orElseThrow();
    }

    String key(Alias alias, Part part) {
        return base(alias) + part.suffix();
    }

    private String base(Alias alias) {
        return literals.getOrDefault(alias, RecordKeys.base(alias));
    }

    /**
     * Finds out where the record of an alias is: in its place, or, when there is none, where a foreign writer put it by the letter of the
     * specification. To be called before every operation on an alias; it costs nothing for names that are written alike in both.
     */
    void locate(Alias alias) {
        Optional<String> literal = RecordKeys.literal(alias);
        if (literal.isEmpty()) {
            return;
        }
        boolean inPlace = isThere(alias, RecordKeys.base(alias));
        if (!inPlace && isThere(alias, literal.get())) {
            if (literals.size() > REMEMBERED) {
                literals.clear();
            }
            literals.put(alias, literal.get());
        } else {
            literals.remove(alias);
        }
    }

    private boolean isThere(Alias alias, String base) {
        for (String suffix : Part.authoritySuffixes()) {
            Optional<Cell> cell = cells.read(base + suffix);
            if (cell.filter(found -> alias.toString().equals(stored(found))).isPresent()) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable Object stored(Cell cell) {
        Object text = cell.tree().get(cell.isLegacy() ? "ledger_alias" : "pk");
        return text instanceof String alias && alias.indexOf(':') < 0 ? alias + ":" + Alias.MAIN : text;
    }

    /** Where a record of version 1 may be when that is not where the authority is. */
    Optional<String> legacyKey(Alias alias) {
        return authority().suffix().equals(Part.LEGACY_SUFFIX)
                ? Optional.empty()
                : Optional.of(base(alias) + Part.LEGACY_SUFFIX);
    }

    /** The authority of a record as it is now, perhaps of version 1; empty when the record does not exist. */
    Optional<Cell> authority(Alias alias) {
        return live(alias, cells.read(key(alias, authority())), () -> cells.read(elsewhere(alias)));
    }

    /** One part as it is now, perhaps purged. */
    Optional<Cell> part(Alias alias, Part part) {
        return cells.read(key(alias, part)).map(cell -> requireOwn(alias, cell));
    }

    /** As {@link #authority(Alias)}, in one round trip also when there is none. */
    Optional<Cell> authorityOrNone(Alias alias) {
        List<Optional<Cell>> both = cells.inParallel(List.of(key(alias, authority()), elsewhere(alias)), cells::read);
        return live(alias, both.get(0), () -> both.get(1));
    }

    private Optional<Cell> live(Alias alias, Optional<Cell> authority, Supplier<Optional<Cell>> elsewhere) {
        Optional<Cell> here = authority.filter(cell -> !cell.isPurged());
        if (here.isEmpty() || here.get().isLegacy()) {
            // A record of version 1 may have been left behind by an upgrade to another layout.
            Optional<Cell> there =
                    elsewhere.get().filter(cell -> !cell.isPurged()).map(this::requireLayout);
            here = here.isPresent() ? here : there;
        }
        return here.map(cell -> requireOwn(alias, requireLayout(cell)));
    }

    /** What a purge in another layout that broke off left in the place of the authority, as it was last read. */
    Optional<Cell> otherTombstone(Alias alias) {
        return cells.remembered(elsewhere(alias)).filter(Cell::isPurged);
    }

    /** Where else than here the authority of an alias may be: in another layout, or in version 1. */
    private String elsewhere(Alias alias) {
        return otherAuthority(base(alias));
    }

    private String otherAuthority(String base) {
        return base
                + Part.authoritySuffixes().stream()
                        .filter(suffix -> !suffix.equals(authority().suffix()))
                        .findFirst()
                        .orElseThrow();
    }

    /** Whether an authority was written in the layout that this nameservice was opened with. */
    boolean isOfThisLayout(Cell authority) {
        return authority
                        .key()
                        .equals(RecordKeys.baseOf(authority.key()) + authority().suffix())
                && saysThisLayout(authority);
    }

    private boolean saysThisLayout(Cell cell) {
        return cell.layout().orElse(layout.name()).equals(layout.name());
    }

    /** An authority, when it was written in the layout that this nameservice was opened with, or in version 1. */
    private Cell requireLayout(Cell cell) {
        boolean legacy = cell.isLegacy() && cell.key().equals(RecordKeys.baseOf(cell.key()) + Part.LEGACY_SUFFIX);
        if (legacy || isOfThisLayout(cell)) {
            return cell;
        }
        String written = cell.layout().orElse("");
        throw new OntologiaException(
                ErrorKind.INVALID_INPUT,
                "cannot read " + cell.document(),
                "it was written in " + (written.isEmpty() ? "another layout" : "layout " + written)
                        + ", and this nameservice was opened in layout " + layout,
                "open it with ?layout=" + (written.isEmpty() ? "A, B or C, as it was written" : written));
    }

    Optional<NameRecord> lookup(Alias alias) {
        return read(alias, parts, this::assembled);
    }

    /** Reads the authority and some satellites at the same time, again when a purge or a creation came between the reads. */
    private <T> Optional<T> read(Alias alias, List<Part> wanted, BiFunction<Cell, List<Optional<Cell>>, T> assembly) {
        for (int look = 1; ; look++) {
            List<Optional<Cell>> read = cells.inParallel(wanted, part -> part(alias, part));
            Optional<Cell> authority = live(alias, read.get(0), () -> cells.read(elsewhere(alias)));
            if (authority.isEmpty()) {
                return Optional.empty();
            }
            List<Optional<Cell>> others = read.subList(1, read.size());
            if (look == LOOKS || areOfOneRecord(authority.get(), others)) {
                return Optional.of(assembly.apply(authority.get(), others));
            }
        }
    }

    /** The record of a listing, from objects that the listing showed. */
    Optional<NameRecord> glance(Map<String, Part> keys, String base) {
        String authorityKey = base + authority().suffix();
        Optional<Cell> authority = (keys.containsKey(authorityKey)
                        ? cells.glance(authorityKey)
                        : Optional.<Cell>empty())
                .filter(cell -> !cell.isPurged())
                .map(this::requireLayout);
        String other = otherAuthority(base);
        if ((authority.isEmpty() || authority.get().isLegacy()) && keys.containsKey(other)) {
            Optional<Cell> there =
                    cells.glance(other).filter(cell -> !cell.isPurged()).map(this::requireLayout);
            authority = authority.isPresent() ? authority : there;
        }
        if (authority.isEmpty()) {
            requireNoOrphans(keys, base);
            return Optional.empty();
        }
        List<Optional<Cell>> others = satellites().stream()
                .map(part -> keys.containsKey(base + part.suffix())
                        ? cells.glance(base + part.suffix())
                        : Optional.<Cell>empty())
                .toList();
        return Optional.of(requirePlace(base, authority.get(), assembled(authority.get(), others)));
    }

    /**
     * That nothing of value is left of a record without its authority. A creation under way or broken off has satellites without a
     * value, and a purge under way or broken off has a tombstone until its satellites are gone; neither is reported, for the next
     * creation or purge takes care of them.
     */
    private void requireNoOrphans(Map<String, Part> keys, String base) {
        for (Part part : satellites()) {
            String key = base + part.suffix();
            Optional<Cell> satellite =
                    keys.containsKey(key) ? cells.read(key).filter(cell -> hasValue(part, cell)) : Optional.empty();
            // Read before and after the authority: it was there while the authority was not.
            if (satellite.isPresent()
                    && cells.read(base + authority().suffix()).isEmpty()
                    && cells.read(otherAuthority(base)).isEmpty()
                    && cells.read(key).map(Cell::etag).equals(satellite.map(Cell::etag))) {
                throw new OntologiaException(
                        ErrorKind.CORRUPT,
                        "cannot read " + satellite.get().document(),
                        "it is a part of a record without the part that says it exists, " + base
                                + authority().suffix(),
                        "restore that from a backup, or remove the rest");
            }
        }
    }

    private static boolean hasValue(Part part, Cell satellite) {
        return !satellite.isPurged()
                && !satellite.isLegacy()
                && part.concerns().stream()
                        .anyMatch(concern -> !satellite.concern(concern).isUnborn());
    }

    /** The record, when it is where it must be. */
    NameRecord requirePlace(String base, Cell cell, NameRecord record) {
        String place = RecordKeys.base(record.alias());
        if (place.equals(base)) {
            return record;
        }
        if (!RecordKeys.literal(record.alias()).equals(Optional.of(base))) {
            throw misplaced(cell, record.alias());
        }
        if (isThere(record.alias(), place)) {
            throw new OntologiaException(
                    ErrorKind.CORRUPT,
                    "cannot read " + cell.document(),
                    "it is a second record of '" + record.alias() + "', and the one at " + place + " counts",
                    "compare the two, and remove one");
        }
        return record;
    }

    /** One concern. Its own object alone does not show whether the record exists, so the authority is read at the same time. */
    Optional<ConcernValue> concern(Alias alias, Concern concern) {
        Part part = partOf(concern);
        if (part.isAuthority()) {
            return authority(alias).map(cell -> identified(cell, concernOf(cell, Optional.empty(), concern)));
        }
        return read(
                alias,
                List.of(authority(), part),
                (authority, others) -> identified(authority, concernOf(authority, others.get(0), concern)));
    }

    /** The record that these objects make. */
    NameRecord assembled(Cell authority, List<Optional<Cell>> others) {
        return parts(authority, others).identified(authority.incarnation().orElse(""));
    }

    private NameRecord parts(Cell authority, List<Optional<Cell>> others) {
        if (authority.isLegacy()) {
            NameRecord record = LegacyRecords.read(authority.document(), authority.tree());
            for (int i = 0; i < others.size(); i++) {
                Concern concern = satellites().get(i).concerns().get(0);
                record = record.with(concern, concernOf(authority, others.get(i), concern));
            }
            return record;
        }
        ConcernValue[] values = new ConcernValue[4];
        int at = 0;
        for (Concern concern : Concern.values()) {
            int satellite = satelliteOf(concern);
            Optional<Cell> cell = satellite < 0 ? Optional.empty() : others.get(satellite);
            values[at++] = concernOf(authority, cell, concern);
        }
        return RecordJson.read(authority.document(), authority.identity(), values[0], values[1], values[2], values[3]);
    }

    /** The value as read from the record of an authority. */
    ConcernValue identified(Cell authority, ConcernValue value) {
        Instant createdAt = authority.isLegacy()
                ? LegacyRecords.read(authority.document(), authority.tree()).createdAt()
                : RecordJson.createdAt(authority.document(), authority.identity());
        return value.readFrom(
                RecordIdentity.of(createdAt, authority.incarnation().orElse("")));
    }

    private int satelliteOf(Concern concern) {
        for (int i = 0; i < satellites().size(); i++) {
            if (satellites().get(i).concerns().contains(concern)) {
                return i;
            }
        }
        return -1;
    }

    /** The value of a concern. Where the authority and the satellite both have one, the higher watermark counts. */
    ConcernValue concernOf(Cell authority, Optional<Cell> satellite, Concern concern) {
        if (authority.isLegacy()) {
            return satellite
                    .filter(cell -> !cell.isPurged())
                    .map(cell -> cell.concern(concern))
                    .filter(value -> !value.isUnborn())
                    .orElseGet(() -> LegacyRecords.read(authority.document(), authority.tree())
                            .concern(concern));
        }
        ConcernValue inline = authority.concern(concern);
        return satellite
                .filter(cell -> !cell.isPurged() && cell.isOfOneRecordWith(authority))
                .map(cell -> cell.concern(concern))
                .filter(value -> value.watermark() >= inline.watermark())
                .orElse(inline);
    }

    /** Whether no purge and no creation came between the reads of the parts. */
    private static boolean areOfOneRecord(Cell authority, List<Optional<Cell>> others) {
        return authority.isLegacy()
                || others.stream()
                        .allMatch(other -> other.map(cell -> !cell.isPurged() && cell.isOfOneRecordWith(authority))
                                .orElse(!authority.isRetracted()));
    }

    /** The cell, when it is of a version that is known here and of this record. */
    Cell requireOwn(Alias alias, Cell cell) {
        RecordJson.requireVersion(cell.document(), cell.tree());
        Object stored = cell.tree().get(cell.isLegacy() ? "ledger_alias" : "pk");
        if (!(stored instanceof String text)) {
            throw new OntologiaException(
                    ErrorKind.CORRUPT,
                    "cannot read " + cell.document(),
                    "it does not say which record it belongs to",
                    "restore it from a backup, or remove it");
        }
        if (!Objects.equals(text, alias.toString()) && !owner(cell, text).equals(alias)) {
            throw misplaced(cell, owner(cell, text));
        }
        return cell;
    }

    private static Alias owner(Cell cell, String text) {
        try {
            return Alias.parse(text);
        } catch (OntologiaException e) {
            throw new OntologiaException(
                    ErrorKind.CORRUPT,
                    "cannot read " + cell.document(),
                    "the name of the record it belongs to is none",
                    "restore it from a backup, or remove it",
                    e);
        }
    }

    private static OntologiaException misplaced(Cell cell, Alias alias) {
        return new OntologiaException(
                ErrorKind.CORRUPT,
                "cannot read " + cell.document(),
                "it is the record of '" + alias + "', whose place is " + RecordKeys.base(alias) + ".json",
                "move it there, or remove it");
    }
}
