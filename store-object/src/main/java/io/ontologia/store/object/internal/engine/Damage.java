package io.ontologia.store.object.internal.engine;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Recognises errors after which a database must be closed, its file discarded and both made again. */
final class Damage {
    private static final List<String> FATAL = List.of(
            "FATAL Error",
            "INTERNAL Error",
            "database has been invalidated",
            "Corrupt database file",
            "Serialization Error",
            "does not match stored checksum",
            "Failed to load metadata pointer");

    private Damage() {}

    /**
     * Whether an error, or its cause, says that the engine cannot go on, or that a file of its own cannot be read or written.
     *
     * @param folder the engine's folder
     */
    static boolean isShownBy(Throwable error, Path folder) {
        SQLException cause = sqlCause(error);
        if (cause == null || DuckErrors.isOutOfMemory(cause)) {
            return false;
        }
        String message = String.valueOf(cause.getMessage());
        if (message.contains("No space left on device")) {
            return false;
        }
        return FATAL.stream().anyMatch(message::contains)
                || (message.startsWith("IO Error")
                        && message.contains(folder.toAbsolutePath().toString()));
    }

    private static @Nullable SQLException sqlCause(Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException found) {
                return found;
            }
        }
        return null;
    }
}
