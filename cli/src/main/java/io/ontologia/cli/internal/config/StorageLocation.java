package io.ontologia.cli.internal.config;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Where the data is, as {@code --storage-uri} and {@code --db} name it. */
public sealed interface StorageLocation {

    /** The same as a URI. */
    String uri();

    /** The name of the backend, as stores say it themselves. */
    default String backend() {
        return "sqlite";
    }

    /** Whether it is made for this run and gone after it. */
    default boolean isTransient() {
        return false;
    }

    /** One SQLite file. */
    record SqliteFile(Path path) implements StorageLocation {
        @Override
        public String uri() {
            return "sqlite:///" + path;
        }

        /** Whether both name one file, however they spell it. */
        boolean sameFile(SqliteFile other) {
            return path.toAbsolutePath()
                    .normalize()
                    .equals(other.path.toAbsolutePath().normalize());
        }
    }

    /** A SQLite database that lives as long as the process. */
    record SqliteMemory() implements StorageLocation {
        @Override
        public String uri() {
            return "sqlite::memory:";
        }

        @Override
        public boolean isTransient() {
            return true;
        }
    }

    /** An object store: {@code s3://bucket/prefix}, {@code file:///folder} or {@code memory:}. */
    record Objects(String uri) implements StorageLocation {
        @Override
        public String backend() {
            return uri.startsWith("s3:") ? "s3" : "object";
        }

        @Override
        public boolean isTransient() {
            return uri.equals("memory:");
        }
    }

    /** A store by its name in the nameservice: {@code ns://alias}. */
    record Named(String alias) implements StorageLocation {
        @Override
        public String uri() {
            return "ns://" + alias;
        }

        @Override
        public String backend() {
            return "ns";
        }
    }

    /** The SQLite file with the given path. */
    static StorageLocation ofDatabase(String path) {
        try {
            if (!path.isBlank()) {
                return new SqliteFile(Path.of(path));
            }
        } catch (InvalidPathException e) {
            throw invalid(path, "it is no path on this system");
        }
        throw invalid(path, "it is empty");
    }

    /**
     * Reads a storage URI; whether the place exists is not looked at.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when it names no kind of storage
     */
    static StorageLocation parse(String uri) {
        if (uri.equals("sqlite::memory:")) {
            return new SqliteMemory();
        }
        if (uri.startsWith("sqlite:///")) {
            return ofDatabase(uri.substring("sqlite:///".length()));
        }
        if (uri.startsWith("s3://") || uri.startsWith("file:///") || uri.equals("memory:")) {
            return new Objects(uri);
        }
        if (uri.startsWith("ns://") && uri.length() > "ns://".length()) {
            return new Named(uri.substring("ns://".length()));
        }
        throw invalid(uri, uri.isEmpty() ? "it is empty" : "it names no kind of storage that is known here");
    }

    /** A URI for people: without what may be credentials in it. */
    static String withoutSecrets(String uri) {
        return uri.indexOf('@') < 0 ? uri : uri.replaceFirst(":.*", ":…");
    }

    private static OntologiaException invalid(String text, String cause) {
        return new OntologiaException(
                ErrorKind.INVALID_INPUT,
                "invalid storage location '" + withoutSecrets(text) + "'",
                cause,
                "use sqlite:///path.db, sqlite:////absolute/path.db, sqlite::memory:, s3://bucket/prefix, file:///folder, memory: or ns://alias");
    }
}
