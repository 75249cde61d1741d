package io.ontologia.store.object.internal.engine;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * How much of the machine the engine may use.
 *
 * @param memoryLimit in DuckDB's words, for example {@code 256MB}
 * @param threads how many threads one query may use
 * @param folder where it keeps what does not fit into memory, and tables of latest versions; made when it is missing
 * @param dataFolders where data files are read and written; the engine can open no file outside these and {@code folder}
 */
public record EngineOptions(String memoryLimit, int threads, Path folder, List<Path> dataFolders) {
    public EngineOptions {
        dataFolders = List.copyOf(dataFolders);
    }

    /** The same with one more folder of data files. */
    public EngineOptions withDataFolder(Path more) {
        return new EngineOptions(
                memoryLimit,
                threads,
                folder,
                Stream.concat(dataFolders.stream(), Stream.of(more)).toList());
    }
}
