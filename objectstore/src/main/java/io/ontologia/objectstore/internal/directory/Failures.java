package io.ontologia.objectstore.internal.directory;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.internal.FileLockTimeout;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileLockInterruptionException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** What the file system's errors mean to a caller of the store. */
final class Failures {
    private Failures() {}

    /** Certainly nothing was written. */
    static OntologiaException unavailable(String problem, IOException e) {
        if (e instanceof FileLockTimeout) {
            return new OntologiaException(ErrorKind.BUSY, problem, reason(e), FileLockTimeout.remedy(), e);
        }
        return new OntologiaException(ErrorKind.UNAVAILABLE, problem, reason(e), remedy(e), e);
    }

    /** The change was made, or may have been, and nobody can say whether it would survive a power failure. */
    static OntologiaException unknown(String problem, IOException e) {
        return new OntologiaException(
                ErrorKind.UNKNOWN_OUTCOME, problem, reason(e), "read it before doing anything else", e);
    }

    static OntologiaException inTheWay(String key, Path obstacle, String what) {
        return new OntologiaException(
                ErrorKind.INVALID_INPUT,
                "cannot use the key '" + key + "'",
                obstacle + " is " + what,
                "a key must not also be the folder of another key; use another one");
    }

    static String reason(IOException e) {
        if (e instanceof AccessDeniedException denied) {
            return "access to " + denied.getFile() + " was denied";
        }
        if (e instanceof NoSuchFileException missing) {
            return missing.getFile() + " does not exist";
        }
        if (e instanceof AtomicMoveNotSupportedException) {
            return "its folder lies on another file system than the store's own .onto folder";
        }
        if (e instanceof ClosedByInterruptException || e instanceof FileLockInterruptionException) {
            return "the thread was interrupted";
        }
        String text = e instanceof FileSystemException known ? known.getReason() : e.getMessage();
        return text == null ? e.toString() : text;
    }

    private static String remedy(IOException e) {
        if (e instanceof ClosedByInterruptException || e instanceof FileLockInterruptionException) {
            return "try again";
        }
        return "check the folder's permissions, its free space and that its disk is there";
    }
}
