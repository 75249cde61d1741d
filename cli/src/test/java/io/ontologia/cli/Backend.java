package io.ontologia.cli;

import java.nio.file.Path;

/** Where a test has its stores. What the console says must not depend on it. */
public enum Backend {
    /** In one SQLite file. */
    SQLITE,
    /** As objects in a folder. */
    FOLDER;

    /** The URI of a store by its name in a folder; it need not exist. */
    public String uri(Path folder, String name) {
        Path absolute = folder.resolve(name).toAbsolutePath();
        return this == SQLITE ? "sqlite:///" + absolute : "file://" + absolute;
    }
}
