package io.ontologia.cli.internal.transfer;

import io.ontologia.core.Identity;
import io.ontologia.core.RowRef;
import io.ontologia.core.Session;
import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
import io.ontologia.core.Window;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.RowQuery.Restriction;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a store holds of certain rows. */
final class StoredRows {
    private static final int BATCH = 500;

    private StoredRows() {}

    /** The commit that last wrote each of the rows that is there. */
    static Map<RowRef, Long> commits(Session session, Set<RowRef> wanted) {
        Map<RowRef, Long> commits = new HashMap<>();
        forEach(session, wanted, (id, row) -> commits.put(id, row.commitId()));
        return commits;
    }

    /** The fields of each of the rows that is there. */
    static Map<RowRef, Map<String, @Nullable Object>> fields(Session session, Set<RowRef> wanted) {
        Map<RowRef, Map<String, @Nullable Object>> fields = new HashMap<>();
        forEach(
                session,
                wanted,
                (id, row) -> fields.put(
                        id,
                        JsonObject.parse("the fields of " + id, row.fieldsJson())
                                .fields()));
        return fields;
    }

    private interface Found {
        void row(RowRef id, StoredRow row);
    }

    private static void forEach(Session session, Set<RowRef> wanted, Found found) {
        Map<TypeRef, Set<String>> keys = new HashMap<>();
        for (RowRef id : wanted) {
            keys.computeIfAbsent(id.type(), type -> new LinkedHashSet<>()).add(firstKey(id.identity()));
        }
        keys.forEach((type, ofType) -> {
            List<String> all = new ArrayList<>(ofType);
            for (int start = 0; start < all.size(); start += BATCH) {
                List<String> batch = all.subList(start, Math.min(all.size(), start + BATCH));
                Restriction.Part part = type.kind() == TypeKind.ENTITY ? Restriction.Part.KEY : Restriction.Part.LEFT;
                RowQuery query = RowQuery.of(type, new Window.Latest()).restrictedTo(new Restriction(part, batch));
                try (Stream<StoredRow> rows = session.storage().rows(query)) {
                    rows.forEach(row -> {
                        RowRef id = new RowRef(type, row.identity());
                        if (wanted.contains(id)) {
                            found.row(id, row);
                        }
                    });
                }
            }
        });
    }

    private static String firstKey(Identity identity) {
        return identity instanceof Identity.OfEntity entity ? entity.key() : ((Identity.OfRelation) identity).leftKey();
    }
}
