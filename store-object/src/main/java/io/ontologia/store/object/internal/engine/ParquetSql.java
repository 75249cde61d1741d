package io.ontologia.store.object.internal.engine;

import io.ontologia.core.spi.SqlNames;
import java.nio.file.Path;
import java.util.stream.Collectors;

/** Statements that write Parquet files. */
final class ParquetSql {
    private ParquetSql() {}

    static String write(long schemaVersion, long commitId, RowBatch batch, RowFunction.Loan loan, Path target) {
        RowColumns columns = RowColumns.of(batch.type().kind());
        return "COPY (SELECT " + commitId + "::BIGINT AS commit_id, "
                + Literals.text(batch.type().name()) + " AS "
                + columns.typeColumn() + ", " + columns.identityList() + ", " + schemaVersion
                + "::BIGINT AS schema_version_id, fields_json" + fields(batch.fields()) + " FROM " + loan.sql()
                + ") TO " + Literals.path(target) + options(batch.fields(), "");
    }

    /** Columns of fields, each after a comma. */
    static String fields(FieldColumns fields) {
        return fields.kinds().entrySet().stream()
                .filter(field -> field.getValue() != FieldKind.NONE)
                .map(field -> ", " + SqlNames.quoted(field.getKey()))
                .collect(Collectors.joining());
    }

    static String options(FieldColumns fields, String more) {
        return " (FORMAT parquet, COMPRESSION zstd, KV_METADATA {" + SqlNames.quoted(FieldColumns.METADATA_KEY) + ": "
                + Literals.text(fields.toJson()) + "}" + more + ")";
    }
}
