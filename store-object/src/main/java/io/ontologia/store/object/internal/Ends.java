package io.ontologia.store.object.internal;

import io.ontologia.core.Identity;
import io.ontologia.core.RowRef;
import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
import io.ontologia.core.Window;
import io.ontologia.core.spi.CommitRequest;
import io.ontologia.core.spi.RetractedEnds;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.RowQuery.Restriction.Part;
import io.ontologia.core.spi.StoredRow;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Finds what a commit with retractions or expectations depends on, at the view that it is based on. */
final class Ends {
    private final SharedStore shared;
    private final View view;

    Ends(SharedStore shared, View view) {
        this.shared = shared;
        this.view = view;
    }

    /**
     * The request with the relations that end with its entities.
     *
     * @param exists whether an entity is there
     */
    CommitRequest settle(CommitRequest request, Predicate<RowRef> exists) {
        List<RowRef> existing =
                RetractedEnds.of(request).stream().filter(exists).toList();
        return RetractedEnds.settle(request, existing, view.registry().types().values(), this::relations);
    }

    private List<Identity> relations(TypeRef type, Part end, List<String> keys) {
        RowQuery query = RowQuery.of(type, new Window.Latest()).restrictedTo(new RowQuery.Restriction(end, keys));
        try (Stream<StoredRow> rows = shared.answers().rows(query, view)) {
            return rows.map(StoredRow::identity).toList();
        }
    }

    /** The version of a row that is in force after a commit. */
    Optional<StoredRow> version(RowRef row, long commitId) {
        if (commitId == Long.MAX_VALUE) {
            return shared.answers().find(row.type(), view, List.of(row.identity()), Latest.Use.COMMIT).stream()
                    .findFirst();
        }
        boolean entity = row.type().kind() == TypeKind.ENTITY;
        String key =
                entity ? ((Identity.OfEntity) row.identity()).key() : ((Identity.OfRelation) row.identity()).leftKey();
        RowQuery query = RowQuery.of(row.type(), new Window.AsOf(commitId))
                .restrictedTo(new RowQuery.Restriction(entity ? Part.KEY : Part.LEFT, List.of(key)));
        try (Stream<StoredRow> rows = shared.answers().rows(query, view)) {
            return rows.filter(found -> found.identity().equals(row.identity())).findFirst();
        }
    }
}
