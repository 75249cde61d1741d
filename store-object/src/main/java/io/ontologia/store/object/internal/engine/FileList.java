package io.ontologia.store.object.internal.engine;

import io.ontologia.core.spi.SqlFragment;
import java.nio.file.Path;
import java.util.List;

/** Names of files as DuckDB takes them. */
final class FileList {
    private FileList() {}

    /** A table of all rows in Parquet files, which must be at least one. */
    static SqlFragment read(List<DataFile> files) {
        return SqlFragment.of(
                "read_parquet(?, hive_partitioning = false, binary_as_string = true)",
                patterns(files.stream().map(DataFile::path).toList()));
    }

    /** The same, where files may lack columns that others have. */
    static SqlFragment readByName(List<DataFile> files) {
        return SqlFragment.of(
                "read_parquet(?, hive_partitioning = false, binary_as_string = true, union_by_name = true)",
                patterns(files.stream().map(DataFile::path).toList()));
    }

    /** DuckDB takes names for patterns, so what has a meaning there is put into brackets. */
    static List<String> patterns(List<Path> files) {
        return files.stream()
                .map(path -> path.toAbsolutePath().toString().replaceAll("[\\[*?]", "[$0]"))
                .toList();
    }
}
