package io.ontologia.store.object.internal.engine;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.sql.SQLException;
import java.util.List;

/** Says in our words what DuckDB says in its own. */
final class DuckErrors {
    /** How messages begin about columns that are missing, of another type, or with values that do not fit. */
    private static final List<String> MISFITS =
            List.of("Binder Error", "Conversion Error", "Invalid Input Error", "Mismatch Type Error", "Invalid Error");

    private DuckErrors() {}

    static OntologiaException wrap(String what, SQLException e) {
        String message = String.valueOf(e.getMessage());
        if (message.contains("Malformed JSON")) {
            return new OntologiaException(
                    ErrorKind.CORRUPT, what, "a row's fields are no JSON", "'onto fsck' tells which", e);
        }
        if (message.startsWith("Out of Memory Error")) {
            return new OntologiaException(
                    ErrorKind.UNAVAILABLE,
                    what,
                    "it does not fit into the memory that the engine may use",
                    "raise 's3_duckdb_memory_limit', or work with fewer or smaller rows at once",
                    e);
        }
        if (message.contains("No space left on device")) {
            return new OntologiaException(
                    ErrorKind.UNAVAILABLE,
                    what,
                    "the disk of the cache folder is full",
                    "free some space, or name a folder on another disk with 'cache_dir'",
                    e);
        }
        if (message.contains("No magic bytes found") || message.contains("too small to be a Parquet file")) {
            return new OntologiaException(
                    ErrorKind.CORRUPT, what, "a data file is no Parquet file", "'onto fsck' tells which", e);
        }
        if (MISFITS.stream().anyMatch(message::startsWith)) {
            return new OntologiaException(
                    ErrorKind.CORRUPT,
                    what,
                    "a data file does not hold what its description says (" + firstLine(message) + ")",
                    "'onto fsck' tells which",
                    e);
        }
        return new OntologiaException(ErrorKind.UNAVAILABLE, what, message, "", e);
    }

    private static String firstLine(String message) {
        return message.lines().findFirst().orElse("");
    }

    /** A result that ended before its last row: the driver does not say why. */
    static OntologiaException cutShort(String what, SQLException e) {
        return new OntologiaException(
                ErrorKind.UNAVAILABLE,
                what,
                "the engine stopped in the middle of the rows",
                "'onto fsck' tells whether the data is whole",
                e);
    }

    static boolean isOutOfMemory(SQLException e) {
        return String.valueOf(e.getMessage()).startsWith("Out of Memory Error");
    }
}
