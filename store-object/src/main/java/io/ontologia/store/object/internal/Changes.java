package io.ontologia.store.object.internal;

import io.ontologia.core.Change;
import io.ontologia.core.Identity;
import io.ontologia.core.TypeRef;
import io.ontologia.core.Window;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.CodePointOrder;
import io.ontologia.store.object.internal.layout.Manifest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What commits did. */
final class Changes {
    static final Comparator<TypeRef> BY_KIND_AND_NAME =
            Comparator.comparing(TypeRef::kind).thenComparing(TypeRef::name);

    static final Comparator<Change> BY_TYPE_AND_IDENTITY =
            Comparator.comparing(Change::type, BY_KIND_AND_NAME).thenComparing(Change::identity, Changes::compare);

    private final SharedStore shared;

    Changes(SharedStore shared) {
        this.shared = shared;
    }

    private static int compare(Identity left, Identity right) {
        List<String> a = parts(left);
        List<String> b = parts(right);
        for (int i = 0; i < a.size(); i++) {
            int order = CodePointOrder.INSTANCE.compare(a.get(i), b.get(i));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    private static List<String> parts(Identity identity) {
        if (identity instanceof Identity.OfRelation relation) {
            return List.of(relation.leftKey(), relation.rightKey(), relation.instanceKey());
        }
        return List.of(((Identity.OfEntity) identity).key());
    }

    /** What a commit did, one type after the other; a type's rows are read together. */
    Stream<Change> of(Manifest manifest, View view) {
        return manifest.files().stream()
                .filter(file -> manifest.commitId() > view.registry().purgedUpTo(file.type()))
                .sorted(Comparator.comparing(Manifest.File::type, BY_KIND_AND_NAME))
                .flatMap(file -> ofType(manifest, file, view));
    }

    private Stream<Change> ofType(Manifest manifest, Manifest.File file, View view) {
        List<StoredRow> rows = new ArrayList<>();
        try (Stream<StoredRow> read = shared.rowsOfCommit(manifest, file, view)) {
            read.forEach(rows::add);
        }
        Map<Identity, StoredRow> before = new HashMap<>();
        if (manifest.commitId() > 1) {
            boolean entity = rows.stream().anyMatch(row -> row.identity() instanceof Identity.OfEntity);
            List<String> keys = rows.stream()
                    .map(row -> parts(row.identity()).get(0))
                    .distinct()
                    .toList();
            RowQuery past = RowQuery.of(file.type(), new Window.AsOf(manifest.commitId() - 1))
                    .restrictedTo(new RowQuery.Restriction(
                            entity ? RowQuery.Restriction.Part.KEY : RowQuery.Restriction.Part.LEFT, keys));
            try (Stream<StoredRow> read = shared.answers().rows(past, view)) {
                read.forEach(row -> before.put(row.identity(), row));
            }
        }
        return rows.stream()
                .map(row -> change(file.type(), row.identity(), row.fieldsJson(), before.get(row.identity())));
    }

    static Change change(TypeRef type, Identity identity, String after, @Nullable StoredRow before) {
        return Change.of(type, identity, before == null ? null : before.fieldsJson(), after);
    }
}
