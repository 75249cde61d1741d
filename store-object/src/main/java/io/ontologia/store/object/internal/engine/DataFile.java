package io.ontologia.store.object.internal.engine;

import java.nio.file.Path;

/**
 * A Parquet file with rows of one type, on this machine. It never changes.
 *
 * @param minCommitId no row is of an earlier commit
 * @param maxCommitId no row is of a later commit
 */
public record DataFile(Path path, long minCommitId, long maxCommitId) {}
