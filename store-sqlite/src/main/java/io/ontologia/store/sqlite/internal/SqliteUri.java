package io.ontologia.store.sqlite.internal;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a SQLite store is.
 *
 * @param file the file; empty for a store that lives only as long as it is open
 */
public record SqliteUri(String text, Optional<Path> file) {
    private static final String FILE_PREFIX = "sqlite:///";

    /**
     * Reads a URI.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when it is none
     */
    public static SqliteUri parse(String uri) {
        if (uri.equals("sqlite::memory:")) {
            return new SqliteUri(uri, Optional.empty());
        }
        if (!uri.startsWith(FILE_PREFIX) || uri.length() == FILE_PREFIX.length()) {
            throw invalid(uri, "a SQLite URI has three slashes and a path");
        }
        try {
            return new SqliteUri(uri, Optional.of(Path.of(uri.substring(FILE_PREFIX.length()))));
        } catch (InvalidPathException e) {
            throw invalid(uri, "it holds no valid path");
        }
    }

    private static OntologiaException invalid(String uri, String cause) {
        return new OntologiaException(
                ErrorKind.INVALID_INPUT,
                "cannot open '" + uri + "'",
                cause,
                "use sqlite:///relative.db, sqlite:////absolute.db or sqlite::memory:");
    }
}
