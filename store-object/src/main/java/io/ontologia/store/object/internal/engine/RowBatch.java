package io.ontologia.store.object.internal.engine;

import io.ontologia.core.Identity;
import io.ontologia.core.OntologyType;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.DesiredRow;
import io.ontologia.core.spi.RowsDigest;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.duckdb.DuckDBColumnType;
import org.duckdb.DuckDBWritableVector;
import org.jspecify.annotations.Nullable;

/**
 * Rows in this process in the form that DuckDB reads: column by column. A field whose values do not all fit its column (an
 * integer beyond 64 bits) is kept as JSON text instead, so that a column of a plain kind never leaves a value out. Costs about
 * as much to make as to write, so it is made once for all who read it.
 */
public final class RowBatch {
    /** A longer text gets no column of its own: it would be in memory twice, once more in the JSON of its row. */
    private static final int LONG_TEXT = 1 << 20;

    private final TypeRef type;
    private final List<Column> columns;
    private final int size;
    private final FieldColumns fields;

    private RowBatch(TypeRef type, List<Column> columns, int size, FieldColumns fields) {
        this.type = type;
        this.columns = columns;
        this.size = size;
        this.fields = fields;
    }

    /** The type of the rows. */
    public TypeRef type() {
        return type;
    }

    /** How many there are. */
    public int size() {
        return size;
    }

    /** The digest of the rows as a commit writes them. */
    public RowsDigest digest(long commitId, long schemaVersion) {
        RowsDigest.Builder digest = RowsDigest.of(type);
        int parts = RowColumns.of(type.kind()).identity().size();
        List<byte[]> identity = new ArrayList<>(Collections.nCopies(parts, new byte[0]));
        for (int row = 0; row < size; row++) {
            for (int part = 0; part < parts; part++) {
                identity.set(part, columns.get(part).text(row));
            }
            digest.add(identity, commitId, schemaVersion, columns.get(parts).text(row));
        }
        return digest.build();
    }

    List<Column> columns() {
        return columns;
    }

    /** What the columns of fields hold. */
    FieldColumns fields() {
        return fields;
    }

    /** One column. */
    static final class Column {
        private final String name;
        private final DuckDBColumnType type;
        private final @Nullable Object[] values;

        /**
         * @param values UTF-8 bytes for texts, else the values themselves
         */
        private Column(String name, DuckDBColumnType type, @Nullable Object[] values) {
            this.name = name;
            this.type = type;
            this.values = values;
        }

        String name() {
            return name;
        }

        DuckDBColumnType type() {
            return type;
        }

        private byte[] text(int row) {
            return (byte[]) Objects.requireNonNull(values[row]);
        }
    }

    /**
     * Rows of one type, sorted by identity.
     *
     * @param rows in any order, no identity twice
     */
    public static RowBatch of(OntologyType type, List<DesiredRow> rows) {
        List<DesiredRow> sorted = new ArrayList<>(rows);
        sorted.sort(Comparator.comparing(DesiredRow::identity, RowColumns.order()));
        List<Column> columns = identities(
                RowColumns.of(type.kind()),
                sorted.stream().map(DesiredRow::identity).toList());
        columns.add(new Column(
                "fields_json",
                DuckDBColumnType.VARCHAR,
                sorted.stream().map(row -> utf8(row.fieldsJson())).toArray()));

        FieldColumns fields = FieldColumns.of(type);
        Map<String, @Nullable Object[]> values = new LinkedHashMap<>();
        fields.kinds().forEach((name, kind) -> values.put(name, new Object[sorted.size()]));
        for (int i = 0; i < sorted.size(); i++) {
            if (sorted.get(i).isRetraction()) {
                continue;
            }
            fields = collect(
                    JsonObject.parse("the fields of a row", sorted.get(i).fieldsJson())
                            .fields(),
                    i,
                    values,
                    fields);
        }
        for (Map.Entry<String, FieldKind> field : fields.kinds().entrySet()) {
            FieldKind kind = field.getValue();
            Object[] column = values.get(field.getKey());
            if (kind != FieldKind.NONE && column != null) {
                columns.add(new Column(field.getKey(), kind.column(), encoded(kind, column)));
            }
        }
        return new RowBatch(type.ref(), columns, sorted.size(), fields);
    }

    /** Identities alone, in the given order. */
    static RowBatch ofIdentities(TypeRef type, List<Identity> identities) {
        return new RowBatch(
                type, identities(RowColumns.of(type.kind()), identities), identities.size(), FieldColumns.UNKNOWN);
    }

    private static List<Column> identities(RowColumns kind, List<Identity> identities) {
        List<Column> columns = new ArrayList<>();
        for (int part = 0; part < kind.identity().size(); part++) {
            Object[] values = new Object[identities.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = utf8(RowColumns.values(identities.get(i)).get(part));
            }
            columns.add(new Column(kind.identity().get(part), DuckDBColumnType.VARCHAR, values));
        }
        return columns;
    }

    private static FieldColumns collect(
            Map<String, @Nullable Object> row, int index, Map<String, @Nullable Object[]> values, FieldColumns fields) {
        FieldColumns known = fields;
        for (Map.Entry<String, @Nullable Object> entry : row.entrySet()) {
            Object[] column = values.get(entry.getKey());
            FieldKind kind = known.kinds().get(entry.getKey());
            Object value = entry.getValue();
            if (column == null || kind == null) {
                known = known.open();
            } else if (value instanceof String text && text.length() > LONG_TEXT) {
                known = known.with(entry.getKey(), FieldKind.NONE);
            } else if (value != null) {
                column[index] = value;
                known = kind.holds(value) ? known : known.with(entry.getKey(), FieldKind.JSON);
            }
        }
        return known;
    }

    private static @Nullable Object[] encoded(FieldKind kind, @Nullable Object[] values) {
        if (kind != FieldKind.STR && kind != FieldKind.JSON) {
            return values;
        }
        Object[] bytes = new Object[values.length];
        for (int i = 0; i < values.length; i++) {
            Object value = values[i];
            if (value != null) {
                bytes[i] = kind == FieldKind.STR ? utf8((String) value) : CanonicalJson.bytes(value);
            }
        }
        return bytes;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Copies a part of a column into DuckDB's memory. */
    static void copy(Column column, int from, int count, DuckDBWritableVector target) {
        if (column.type() == DuckDBColumnType.VARCHAR) {
            byte[][] texts = new byte[count][];
            for (int i = 0; i < count; i++) {
                texts[i] = (byte[]) column.values[from + i];
            }
            target.setStringUtf8Batch(0, texts);
            return;
        }
        for (int i = 0; i < count; i++) {
            Object value = column.values[from + i];
            if (value == null) {
                target.setNull(i);
            } else if (value instanceof Long number) {
                target.setLong(i, number);
            } else if (value instanceof Double number) {
                // Adding zero makes zero of minus zero, or filters inside Parquet files would tell the two apart.
                target.setDouble(i, number + 0.0);
            } else {
                target.setBoolean(i, (Boolean) value);
            }
        }
    }
}
