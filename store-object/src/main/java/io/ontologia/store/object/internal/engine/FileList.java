package io.ontologia.store.object.internal.engine;

import io.ontologia.core.spi.SqlFragment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Names of files as DuckDB takes them. */
final class FileList {
    private FileList() {}

    /** A table of all rows in Parquet files, which must be at least one. */
    static SqlFragment read(List<DataFile> files) {
        return read(files, "read_parquet(?, hive_partitioning = false, binary_as_string = true)");
    }

    /** The same, where files may lack columns that others have. */
    static SqlFragment readByName(List<DataFile> files) {
        return read(files, "read_parquet(?, hive_partitioning = false, binary_as_string = true, union_by_name = true)");
    }

    /** Files of which only a part counts are read one by one. */
    private static SqlFragment read(List<DataFile> files, String function) {
        List<Path> whole = new ArrayList<>();
        List<SqlFragment> parts = new ArrayList<>();
        for (DataFile file : files) {
            if (file.extent() == DataFile.Extent.WHOLE) {
                whole.add(file.path());
            } else {
                parts.add(SqlFragment.of("SELECT * FROM ")
                        .then(SqlFragment.of(function, patterns(List.of(file.path()))))
                        .then(" WHERE commit_id BETWEEN " + file.minCommitId() + " AND " + file.maxCommitId()));
            }
        }
        if (parts.isEmpty()) {
            return SqlFragment.of(function, patterns(whole));
        }
        if (!whole.isEmpty()) {
            parts.add(0, SqlFragment.of("SELECT * FROM ").then(SqlFragment.of(function, patterns(whole))));
        }
        return SqlFragment.join(" UNION ALL BY NAME ", parts).wrap("(", ")");
    }

    /** DuckDB takes names for patterns, so what has a meaning there is put into brackets. */
    static List<String> patterns(List<Path> files) {
        return files.stream()
                .map(path -> path.toAbsolutePath().toString().replaceAll("[\\[*?]", "[$0]"))
                .toList();
    }
}
