package io.ontologia.cli.internal;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The options that every command understands, before or after its name. */
public final class GlobalOptions {
    @Option(
            names = "--storage-uri",
            paramLabel = "URI",
            scope = ScopeType.INHERIT,
            description =
                    "Where the data is: sqlite:///rel.db, sqlite:////abs.db, sqlite::memory:, s3://bucket/prefix, "
                            + "file:///folder. Environment: ONTOLOGIA_STORAGE_URI.")
    @Nullable String storageUri;

    @Option(
            names = "--db",
            paramLabel = "PATH",
            scope = ScopeType.INHERIT,
            description = "The same for a SQLite file; onto.db when nothing is said. Environment: ONTOLOGIA_DB.")
    @Nullable String database;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            scope = ScopeType.INHERIT,
            description = "A YAML file with options. Environment: ONTOLOGIA_CONFIG.")
    @Nullable String config;

    boolean json;
    boolean verbose;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help.")
    boolean help;

    // Methods, because a flag given before and after the command's name would switch a field on and off again.

    @Option(
            names = "--json",
            scope = ScopeType.INHERIT,
            description = "Print one JSON document on standard output and nothing else.")
    void json(boolean ignored) {
        json = true;
    }

    @Option(names = "--verbose", scope = ScopeType.INHERIT, description = "Add the stack trace to an error.")
    void verbose(boolean ignored) {
        verbose = true;
    }
}
