package io.ontologia.store.object.internal;

import io.ontologia.core.FieldPath;
import io.ontologia.core.Identity;
import io.ontologia.core.TypeRef;
import io.ontologia.core.Window;
import io.ontologia.core.spi.AggregateQuery;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.store.object.internal.engine.Engine;
import io.ontologia.store.object.internal.engine.LatestTables;
import io.ontologia.store.object.internal.engine.Source;
import io.ontologia.store.object.internal.engine.StaleLatestException;
import io.ontologia.store.object.internal.layout.TypeIndex;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Answers questions about the rows of a store at a view: from the tables of latest versions where they serve, else from files. */
final class Answers {
    private final Engine engine;
    private final Latest latest;
    private final FileResolver resolver;
    private final LocalCopies copies;
    private final PastOfKeys past;

    Answers(Engine engine, Latest latest, PastOfKeys past, FileResolver resolver, LocalCopies copies) {
        this.engine = engine;
        this.latest = latest;
        this.past = past;
        this.resolver = resolver;
        this.copies = copies;
    }

    /** The latest version of rows at a view. */
    List<StoredRow> find(TypeRef type, View view, List<Identity> identities, Latest.Use use) {
        if (latest.bringTo(type, view, use)) {
            try {
                return latest.tables().find(type, view.head().commitId(), identities);
            } catch (StaleLatestException e) {
                // Another user of the table moved it on meanwhile; the files still have this view.
            }
        }
        Set<Identity> wanted = new HashSet<>(identities);
        RowQuery query = RowQuery.of(type, new Window.Latest()).restrictedTo(restriction(identities));
        try (Stream<StoredRow> rows = fromFiles(query, view, engine::rows)) {
            return rows.filter(row -> wanted.contains(row.identity())).toList();
        }
    }

    /** To rows that have a part of their identity in common with the wanted ones. */
    private static RowQuery.Restriction restriction(List<Identity> identities) {
        boolean entities = identities.stream().allMatch(Identity.OfEntity.class::isInstance);
        return new RowQuery.Restriction(
                entities ? RowQuery.Restriction.Part.KEY : RowQuery.Restriction.Part.LEFT,
                identities.stream()
                        .map(identity -> identity instanceof Identity.OfEntity entity
                                ? entity.key()
                                : ((Identity.OfRelation) identity).leftKey())
                        .distinct()
                        .toList());
    }

    /** The rows that a query names at a view. */
    Stream<StoredRow> rows(RowQuery query, View view) {
        if (isPointLookup(query) && !(query.window() instanceof Window.History)) {
            long upTo = query.window() instanceof Window.AsOf asOf ? asOf.commitId() : Long.MAX_VALUE;
            String key = query.restriction().orElseThrow().keys().get(0);
            List<StoredRow> latestVersion =
                    find(query.type(), view, List.of(new Identity.OfEntity(key)), Latest.Use.QUERY);
            // A latest version that was there at the commit was the latest one then, too. One that is not there may
            // have ended.
            boolean mayHaveEnded = query.window() instanceof Window.AsOf
                    && latestVersion.isEmpty()
                    && view.registry().hasRetractions();
            if (!mayHaveEnded && latestVersion.stream().allMatch(row -> row.commitId() <= upTo)) {
                return latestVersion.stream()
                        .filter(row -> query.schemaVersion().isEmpty()
                                || query.schemaVersion().getAsLong() == row.schemaVersion());
            }
        }
        return past.rows(query, view)
                .orElseGet(() -> answer(query, view, (sources, tables) -> engine.rows(query, sources, tables)));
    }

    /** The identities of the rows that a query names at a view, in any order. */
    Stream<Identity> identities(RowQuery query, View view) {
        return answer(query, view, (sources, tables) -> engine.identities(query, sources, tables));
    }

    private static boolean isPointLookup(RowQuery query) {
        return query.restriction()
                        .filter(keys -> keys.part() == RowQuery.Restriction.Part.KEY
                                && keys.keys().size() == 1
                                && !keys.keys().get(0).isBlank())
                        .isPresent()
                && query.filter().isEmpty()
                && query.after().isEmpty()
                && query.limit().orElse(1) > 0
                && query.offset() == 0;
    }

    long count(RowQuery query, View view) {
        return answer(query, view, (sources, tables) -> engine.count(query, sources, tables));
    }

    /**
     * Whether some current rows of a type may have another schema version than the given one: what a table of latest versions
     * answers at once, and for files their statistics where no version has such rows.
     */
    boolean mayHaveOtherVersions(TypeRef type, long version, View view) {
        long head = view.head().commitId();
        if (head == 0 || latest.stands(type, view)) {
            return head > 0;
        }
        try (LocalCopies.Opened opened = copies.open(resolver, type, view, 0, head)) {
            return engine.haveOtherVersions(type, opened.files(), version, latest.tables());
        }
    }

    List<Map<String, @Nullable Object>> aggregate(AggregateQuery query, View view) {
        return answer(
                query.rows(),
                typesOf(query.rows(), query::looksAt),
                view,
                (sources, tables) -> engine.aggregate(query, sources, tables));
    }

    /** Every row of one file. */
    Stream<StoredRow> rowsOfFile(TypeIndex.Entry entry, TypeRef type) {
        return rows(entry, RowQuery.of(type, new Window.History(0)));
    }

    /** The rows of one file that a query names. */
    Stream<StoredRow> rows(TypeIndex.Entry entry, RowQuery query) {
        LocalCopies.Opened opened = copies.open(List.of(entry));
        return engine.rows(query, unused -> new Source.Files(opened.files()), latest.tables())
                .onClose(opened::close);
    }

    private interface Ask<T> {
        T ask(RowQuery query, Function<TypeRef, Source> sources, LatestTables tables);
    }

    private <T> T fromFiles(RowQuery query, View view, Ask<T> ask) {
        return overFiles(
                query, typesOf(query, query::looksAt), view, (sources, tables) -> ask.ask(query, sources, tables));
    }

    /** Asks a question about a query's rows at a view, where they can be found fastest. */
    <T> T answer(RowQuery query, View view, BiFunction<Function<TypeRef, Source>, LatestTables, T> ask) {
        return answer(query, typesOf(query, query::looksAt), view, ask);
    }

    private <T> T answer(
            RowQuery query, Set<TypeRef> types, View view, BiFunction<Function<TypeRef, Source>, LatestTables, T> ask) {
        boolean needsPast = !(query.window() instanceof Window.Latest);
        if (needsPast || view.head().commitId() == 0) {
            return overFiles(query, types, view, ask);
        }
        boolean ready = true;
        for (TypeRef type : types) {
            ready &= latest.bringTo(type, view, Latest.Use.QUERY);
        }
        if (!ready) {
            return overFiles(query, types, view, ask);
        }
        try {
            return ask.apply(type -> new Source.Table(view.head().commitId()), latest.tables());
        } catch (StaleLatestException e) {
            return overFiles(query, types, view, ask);
        }
    }

    private <T> T overFiles(
            RowQuery query, Set<TypeRef> types, View view, BiFunction<Function<TypeRef, Source>, LatestTables, T> ask) {
        Map<TypeRef, Source> sources = new LinkedHashMap<>();
        List<LocalCopies.Opened> opened = new ArrayList<>();
        boolean handedOver = false;
        try {
            for (TypeRef type : types) {
                long after = type.equals(query.type()) && query.window() instanceof Window.History history
                        ? history.afterCommitId()
                        : 0;
                long upTo = query.window().upTo().orElse(view.head().commitId());
                LocalCopies.Opened files = copies.open(resolver, type, view, after, upTo);
                opened.add(files);
                sources.put(type, new Source.Files(files.files(), ends(view)));
            }
            T answer = ask.apply(type -> sources.getOrDefault(type, new Source.Files(List.of())), latest.tables());
            if (answer instanceof Stream<?> stream) {
                handedOver = true;
                @SuppressWarnings("unchecked") // a stream with one more thing to close is still the same stream
                T closing = (T) stream.onClose(() -> opened.forEach(LocalCopies.Opened::close));
                return closing;
            }
            return answer;
        } finally {
            if (!handedOver) {
                opened.forEach(LocalCopies.Opened::close);
            }
        }
    }

    private static Source.Ends ends(View view) {
        return view.registry().hasRetractions() ? Source.Ends.SOME : Source.Ends.NONE;
    }

    /** The types whose rows a query reads: its own, and those at the ends that it looks at. */
    static Set<TypeRef> typesOf(RowQuery query, Predicate<FieldPath.Scope> looksAt) {
        Set<TypeRef> types = new HashSet<>(Set.of(query.type()));
        if (looksAt.test(FieldPath.Scope.LEFT)) {
            query.leftType().ifPresent(name -> types.add(TypeRef.entity(name)));
        }
        if (looksAt.test(FieldPath.Scope.RIGHT)) {
            query.rightType().ifPresent(name -> types.add(TypeRef.entity(name)));
        }
        return types;
    }
}
