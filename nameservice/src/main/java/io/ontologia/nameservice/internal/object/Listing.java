package io.ontologia.nameservice.internal.object;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.LegacyStore;
import io.ontologia.nameservice.NamePage;
import io.ontologia.nameservice.NameQuery;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.spi.LegacyRecords;
import io.ontologia.objectstore.ListPage;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectSummary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Lists records in the order of their keys. The keys of one record stand together; a page reads the objects of its records in
 * parallel. The token is the place of the last record looked at.
 */
final class Listing {
    /** A path of two segments or more; at the paths of the specification names may hold anything. */
    private static final Pattern TOKEN = Pattern.compile("[^/.][^/]*(/[^/.][^/]*)+");

    private final Cells cells;
    private final RecordReader reader;

    Listing(Cells cells, RecordReader reader) {
        this.cells = cells;
        this.reader = reader;
    }

    /** The objects of one record. */
    private record Found(String base, Map<String, Part> keys) {}

    /** What a record turned out to be; neither when it is gone. */
    private record Read(Optional<NameRecord> record, Optional<NamePage.Unreadable> unreadable) {}

    NamePage page(NameQuery query) {
        List<NamePage.Unreadable> unreadable = new ArrayList<>();
        List<Found> found = new ArrayList<>();
        Optional<String> last = collect(query, found, unreadable);
        List<NameRecord> records = new ArrayList<>();
        for (Read read : cells.inParallel(found, this::read)) {
            read.record().filter(query::matches).map(query::show).ifPresent(records::add);
            read.unreadable().ifPresent(unreadable::add);
        }
        return new NamePage(records, unreadable, last.map(base -> base.substring(RecordKeys.ROOT.length())));
    }

    /** The records of version 1 on a page. */
    LegacyStore.Page legacy(NameQuery query) {
        List<NamePage.Unreadable> unreadable = new ArrayList<>();
        List<Found> found = new ArrayList<>();
        Optional<String> last = collect(query, found, unreadable);
        List<NameRecord> legacy = new ArrayList<>();
        for (Read read : cells.inParallel(found, this::readLegacy)) {
            read.record().ifPresent(legacy::add);
            read.unreadable().ifPresent(unreadable::add);
        }
        return new LegacyStore.Page(
                found.size(), legacy, unreadable, last.map(base -> base.substring(RecordKeys.ROOT.length())));
    }

    private Read readLegacy(Found found) {
        String key = found.base() + Part.LEGACY_SUFFIX;
        if (!found.keys().containsKey(key)) {
            return new Read(Optional.empty(), Optional.empty());
        }
        return read(
                found.base(),
                () -> cells.glance(key)
                        .filter(Listing::isLegacy)
                        .map(cell -> reader.requirePlace(
                                found.base(), cell, LegacyRecords.read(cell.document(), cell.tree()))));
    }

    /** Whether an object is of version 1; one that says neither its version nor its alias is reported, and not left out. */
    private static boolean isLegacy(Cell cell) {
        if (!cell.isLegacy() && !cell.isPurged() && cell.tree().get("v") == null) {
            throw new OntologiaException(
                    ErrorKind.CORRUPT,
                    "cannot read " + cell.document(),
                    "it has neither 'v' nor 'ledger_alias'",
                    "add the one that it lacks, or remove it");
        }
        return cell.isLegacy();
    }

    /** Collects a page of records; returns the last one when there may be more. */
    private Optional<String> collect(NameQuery query, List<Found> found, List<NamePage.Unreadable> unreadable) {
        Collector collector = new Collector(query.pageSize(), found, unreadable);
        String prefix = RecordKeys.prefix(query.prefix());
        String after = query.continueAt()
                .map(token -> RecordKeys.ROOT + requireToken(token))
                .orElse("");
        Optional<LocalKeys> local = cells.local();
        if (local.isPresent()) {
            local.get().forEach(prefix, after, collector::take);
        } else {
            collectFromStore(prefix, after, collector);
        }
        return collector.last();
    }

    private void collectFromStore(String prefix, String after, Collector collector) {
        ListRequest request = ListRequest.of(prefix);
        if (!after.isEmpty()) {
            request = request.startAfter(RecordKeys.after(after));
        }
        while (true) {
            ListPage page = cells.store().list(request);
            for (ObjectSummary object : page.objects()) {
                if (!collector.take(object.key())) {
                    return;
                }
            }
            if (page.next().isEmpty()) {
                return;
            }
            request = request.continueAt(page.next().get());
        }
    }

    /** Puts the keys of a listing together by record, until a page is full. */
    private final class Collector {
        private final int pageSize;
        private final List<Found> found;
        private final List<NamePage.Unreadable> unreadable;
        private final Map<String, Part> suffixes = new LinkedHashMap<>();
        private final Map<String, Found> byBase = new LinkedHashMap<>();
        private boolean full;

        Collector(int pageSize, List<Found> found, List<NamePage.Unreadable> unreadable) {
            this.pageSize = pageSize;
            this.found = found;
            this.unreadable = unreadable;
            reader.parts().forEach(part -> suffixes.put(part.suffix(), part));
            Part.authoritySuffixes().forEach(suffix -> suffixes.putIfAbsent(suffix, reader.authority()));
        }

        /** Takes a key; false when the page was full before it. */
        boolean take(String key) {
            String base = RecordKeys.baseOf(key);
            Part part = suffixes.get(key.substring(base.length()));
            if (part == null
                    || !TOKEN.matcher(base.substring(RecordKeys.ROOT.length())).matches()) {
                unreadable.add(stray(key));
                return true;
            }
            Found known = byBase.get(base);
            // Branches with a dot stand between the objects of the branch that they start with, and belong to its page.
            full = known == null
                    && found.size() >= pageSize
                    && !base.startsWith(found.get(found.size() - 1).base() + ".");
            if (!full) {
                if (known == null) {
                    known = new Found(base, new LinkedHashMap<>());
                    byBase.put(base, known);
                    int last = found.size() - 1;
                    boolean inside =
                            last >= 0 && base.startsWith(found.get(last).base() + ".");
                    found.add(inside ? last : found.size(), known);
                }
                known.keys().put(key, part);
            }
            return !full;
        }

        /** The last record of a full page. */
        Optional<String> last() {
            return full ? Optional.of(found.get(found.size() - 1).base()) : Optional.empty();
        }
    }

    private Read read(Found found) {
        return read(found.base(), () -> reader.glance(found.keys(), found.base()));
    }

    private static Read read(String base, Supplier<Optional<NameRecord>> reading) {
        try {
            return new Read(reading.get(), Optional.empty());
        } catch (OntologiaException e) {
            if (e.kind() != ErrorKind.CORRUPT && e.kind() != ErrorKind.INVALID_INPUT) {
                throw e;
            }
            return new Read(Optional.empty(), Optional.of(new NamePage.Unreadable(base, e)));
        }
    }

    private NamePage.Unreadable stray(String key) {
        return new NamePage.Unreadable(
                key,
                new OntologiaException(
                        ErrorKind.CORRUPT,
                        "cannot read " + key,
                        "no record of this layout has an object of such a name",
                        "open the nameservice with the layout that wrote it; remove it when there is none"));
    }

    private static String requireToken(String token) {
        if (!TOKEN.matcher(token).matches()) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid page token",
                    "it is not one that a listing gave",
                    "start from the first page");
        }
        return token;
    }
}
