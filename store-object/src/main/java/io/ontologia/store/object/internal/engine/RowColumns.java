package io.ontologia.store.object.internal.engine;

import io.ontologia.core.Identity;
import io.ontologia.core.TypeKind;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.kernel.CodePointOrder;
import io.ontologia.kernel.Stored;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** The columns that every row of a kind has. */
enum RowColumns {
    ENTITIES(TypeKind.ENTITY),
    RELATIONS(TypeKind.RELATION);

    private final TypeKind kind;

    RowColumns(TypeKind kind) {
        this.kind = kind;
    }

    static RowColumns of(TypeKind kind) {
        return kind == TypeKind.ENTITY ? ENTITIES : RELATIONS;
    }

    String typeColumn() {
        return kind.wireName() + "_type";
    }

    /** The columns of the identity, the type aside. */
    List<String> identity() {
        return this == ENTITIES ? List.of("entity_key") : List.of("left_key", "right_key", "instance_key");
    }

    /** The same, comma separated. */
    String identityList() {
        return String.join(", ", identity());
    }

    /** Identity columns, each behind an alias, comma separated. */
    String identityOf(String alias) {
        return identity().stream().map(column -> alias + "." + column).collect(Collectors.joining(", "));
    }

    /** Everything that is read of each row, comma separated. */
    String base() {
        return identityList() + ", commit_id, schema_version_id, fields_json";
    }

    /** The column of a part of the identity. */
    static String column(RowQuery.Restriction.Part part) {
        return switch (part) {
            case KEY -> "entity_key";
            case LEFT -> "left_key";
            case RIGHT -> "right_key";
        };
    }

    /**
     * Keeps the newest version of each row that a query selects; of two versions in one commit, which only other writers store, the one
     * with the greater text.
     */
    String newestFirstOnly() {
        return " QUALIFY row_number() OVER (PARTITION BY " + identityList()
                + " ORDER BY commit_id DESC, fields_json DESC) = 1";
    }

    /** The identity of a stored row. */
    Identity identity(List<String> values) {
        return Stored.read(
                "the key of a row in a data file",
                () -> this == ENTITIES
                        ? new Identity.OfEntity(values.get(0))
                        : new Identity.OfRelation(values.get(0), values.get(1), values.get(2)));
    }

    static List<String> values(Identity identity) {
        if (identity instanceof Identity.OfEntity entity) {
            return List.of(entity.key());
        }
        Identity.OfRelation relation = (Identity.OfRelation) identity;
        return List.of(relation.leftKey(), relation.rightKey(), relation.instanceKey());
    }

    /** The order of identities in files and results. */
    static Comparator<Identity> order() {
        return (left, right) -> {
            List<String> a = values(left);
            List<String> b = values(right);
            for (int i = 0; i < a.size(); i++) {
                int order = CodePointOrder.INSTANCE.compare(a.get(i), b.get(i));
                if (order != 0) {
                    return order;
                }
            }
            return 0;
        };
    }
}
