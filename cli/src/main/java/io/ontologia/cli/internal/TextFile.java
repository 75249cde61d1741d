package io.ontologia.cli.internal;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.FileModes;
import io.ontologia.kernel.OntologiaException;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Files that commands write beside the store. */
public final class TextFile {
    private TextFile() {}

    /**
     * Writes a whole file; what was there is replaced.
     *
     * @param what what it holds, for errors
     * @throws OntologiaException of kind {@link ErrorKind#UNAVAILABLE} when it cannot be written
     */
    public static void write(String what, String target, String text) {
        try {
            FileModes.UMASK.writeString(path("--output", target), text);
        } catch (IOException e) {
            throw unwritable(what, target, e);
        }
    }

    /** The path that an option names. */
    public static Path path(String option, String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new UsageError(option + " is '" + text + "', which is no path on this system", "name another");
        }
    }

    /** What to throw when a file cannot be written. */
    public static OntologiaException unwritable(String what, String target, IOException e) {
        return new OntologiaException(
                ErrorKind.UNAVAILABLE,
                "cannot write " + what + " to " + target,
                "its folder is missing, read-only or full",
                "name another place, or make room",
                e);
    }
}
