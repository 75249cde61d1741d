package io.ontologia.store.object.internal.engine;

import java.nio.file.Path;

/**
 * How much of the machine the engine may use.
 *
 * @param memoryLimit in DuckDB's words, for example {@code 256MB}
 * @param threads how many threads one query may use
 * @param folder where it keeps what does not fit into memory, and tables of latest versions; made when it is missing
 */
public record EngineOptions(String memoryLimit, int threads, Path folder) {}
