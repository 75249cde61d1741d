package io.ontologia.objectstore.internal;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** A file lock was held by another process, or another thread, until the deadline. Nothing was changed. */
public final class FileLockTimeout extends IOException {
    private static final long serialVersionUID = 1;

    FileLockTimeout(Path file, Duration limit) {
        super("the file lock " + file + " has been held for longer than " + limit.toMillis() + " ms");
    }

    /** What to do about it. */
    public static String remedy() {
        return "try again; if it stays held, the process that holds it is stopped: continue it or end it";
    }
}
