package io.ontologia.store.object.internal.engine;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.FileModes;
import io.ontologia.kernel.OntologiaException;
import java.io.IOException;
import java.nio.file.Path;

/** The folder on this machine in which everything can be made anew. */
public final class CacheFolder {
    private CacheFolder() {}

    /** Makes a folder in it, unless it is there. */
    public static Path ensure(Path folder) {
        try {
            return FileModes.PRIVATE.ensureOwnFolder(folder);
        } catch (IOException e) {
            throw unusable(folder, e);
        }
    }

    /** What to tell when something in it cannot be read or written. */
    public static OntologiaException unusable(Path path, IOException cause) {
        return new OntologiaException(
                ErrorKind.UNAVAILABLE,
                "cannot use '" + path + "' for files that can be made anew",
                cause.toString(),
                "make it a folder that can be written and has room, or name another with 'cache_dir'",
                cause);
    }
}
