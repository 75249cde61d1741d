package io.ontologia.cli.internal.query;

import io.ontologia.cli.internal.output.Layout;
import io.ontologia.cli.internal.output.PlainText;
import io.ontologia.core.CommitInfo;
import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Identity;
import io.ontologia.core.OntologyType;
import io.ontologia.core.RelationType;
import io.ontologia.core.Result;
import io.ontologia.core.Row;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.UtcTimestamp;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows of one type as rows of a table. */
final class RowTable {
    private static final int WIDEST = 48;

    private final OntologyType type;
    private final List<String> fields;
    private final boolean keyed;
    private final boolean withCommit;
    private final Layout layout;

    RowTable(OntologyType type, boolean withCommit, Layout layout) {
        this.layout = layout;
        this.type = type;
        this.withCommit = withCommit;
        this.keyed = type instanceof RelationType relation
                && relation.instanceKeyField().isPresent();
        String keyField = type instanceof EntityType entity ? entity.keyField() : "";
        this.fields = type.payload().stream()
                .map(FieldDef::name)
                .filter(name -> !name.equals(keyField))
                .toList();
    }

    List<String> headers() {
        List<String> headers = new ArrayList<>();
        if (type instanceof RelationType relation) {
            headers.add("left key");
            headers.add("right key");
            relation.instanceKeyField().ifPresent(headers::add);
        } else {
            headers.add("key");
        }
        headers.addAll(fields);
        headers.add("commit");
        if (withCommit) {
            headers.addAll(TableOptions.OF_COMMIT);
        }
        return headers;
    }

    List<@Nullable Object> cells(Result<Row> result, @Nullable CommitInfo commit) {
        List<@Nullable Object> cells = new ArrayList<>();
        if (result.identity() instanceof Identity.OfRelation relation) {
            cells.add(relation.leftKey());
            cells.add(relation.rightKey());
            if (keyed) {
                cells.add(relation.instanceKey());
            }
        } else {
            cells.add(result.identity().toString());
        }
        if (result.isEnd()) {
            boolean csv = layout == Layout.CSV;
            fields.forEach(field -> cells.add(csv ? null : ""));
            cells.add(csv ? (Object) result.commitId() : result.commitId() + " (ended)");
        } else {
            fields.forEach(field -> cells.add(cell(result.value().fields().get(field), layout)));
            cells.add(result.commitId());
        }
        if (withCommit) {
            cells.add(commit == null ? null : UtcTimestamp.format(commit.at()));
            cells.add(commit == null ? null : cell(commit.author().orElse(layout == Layout.CSV ? null : ""), layout));
            cells.add(commit == null ? null : cell(commit.reason().orElse(layout == Layout.CSV ? null : ""), layout));
        }
        return cells;
    }

    /** A value on one line, cut where it is long: who wants all of it asks for JSON. */
    static @Nullable Object cell(@Nullable Object value) {
        return cell(value, Layout.TABLE);
    }

    /** A value on one line; whole where the layout shows whole values. */
    static @Nullable Object cell(@Nullable Object value, Layout layout) {
        if (value == null || value instanceof Number) {
            return value;
        }
        String text = value instanceof String plain ? plain : CanonicalJson.write(value);
        return layout.isWhole() ? text : PlainText.cut(text, WIDEST);
    }
}
