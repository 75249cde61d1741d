package io.ontologia.core.internal;

import io.ontologia.core.Change;
import io.ontologia.core.Identity;
import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
import io.ontologia.core.Window;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.RowQuery.Restriction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Differences between two commits in the schema version of a session, for types that have had several. */
public final class VersionedChanges {
    private static final int BATCH = 5_000;

    private final QueryScope scope;
    private final Unreadable unreadable;

    public VersionedChanges(QueryScope scope, Unreadable unreadable) {
        this.scope = scope;
        this.unreadable = unreadable;
    }

    /**
     * The changes with the rows as they were at both commits, in the schema version of the session. Rows that may be left out are
     * missing.
     *
     * @param from 0 for the time before the first commit
     */
    public List<Change> between(Collection<Change> stored, long from, long to) {
        Map<TypeRef, List<Identity>> changed = new LinkedHashMap<>();
        for (Change change : stored) {
            if (scope.hasHadVersions(change.type())) {
                changed.computeIfAbsent(change.type(), type -> new ArrayList<>())
                        .add(change.identity());
            }
        }
        Map<TypeRef, Map<Identity, Map<String, @Nullable Object>>> before = new HashMap<>();
        Map<TypeRef, Map<Identity, Map<String, @Nullable Object>>> after = new HashMap<>();
        changed.forEach((type, identities) -> {
            before.put(type, from == 0 ? Map.of() : rows(type, identities, from));
            after.put(type, rows(type, identities, to));
        });
        return stored.stream()
                .flatMap(change -> changed.containsKey(change.type())
                        ? shown(
                                change,
                                before.getOrDefault(change.type(), Map.of()).get(change.identity()),
                                after.getOrDefault(change.type(), Map.of()).get(change.identity()))
                        : Stream.of(change))
                .toList();
    }

    private static Stream<Change> shown(
            Change change,
            @Nullable Map<String, @Nullable Object> before,
            @Nullable Map<String, @Nullable Object> after) {
        if (change.operation() == Change.Operation.RETRACT
                && (before != null || change.before().isEmpty())) {
            return Stream.of(new Change(
                    change.type(), change.identity(), change.operation(), Optional.ofNullable(before), Map.of()));
        }
        if (after == null || (before == null && change.before().isPresent())) {
            return Stream.empty();
        }
        return Stream.of(
                new Change(change.type(), change.identity(), change.operation(), Optional.ofNullable(before), after));
    }

    private Map<Identity, Map<String, @Nullable Object>> rows(TypeRef type, List<Identity> identities, long commit) {
        Restriction.Part part = type.kind() == TypeKind.ENTITY ? Restriction.Part.KEY : Restriction.Part.LEFT;
        List<String> keys =
                identities.stream().map(VersionedChanges::firstKey).distinct().toList();
        Map<Identity, Map<String, @Nullable Object>> found = new HashMap<>();
        for (int start = 0; start < keys.size(); start += BATCH) {
            List<String> batch = keys.subList(start, Math.min(keys.size(), start + BATCH));
            RowQuery query = RowQuery.of(type, new Window.AsOf(commit)).restrictedTo(new Restriction(part, batch));
            try (Stream<FoundRow> rows = scope.rows(query, unreadable)) {
                rows.forEach(row -> found.put(row.identity(), row.fields()));
            }
        }
        return found;
    }

    private static String firstKey(Identity identity) {
        return identity instanceof Identity.OfEntity entity ? entity.key() : ((Identity.OfRelation) identity).leftKey();
    }
}
