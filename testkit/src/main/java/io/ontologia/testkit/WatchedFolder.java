package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.kernel.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The files of a folder, except in some folders below it, and their content, to see that none of them is touched. */
public final class WatchedFolder {
    private final Path folder;
    private final Set<Path> exceptions;
    private final Map<Path, String> before;

    /**
     * Takes the files as they are now.
     *
     * @param exceptions folders whose files may change
     */
    public WatchedFolder(Path folder, Set<Path> exceptions) throws IOException {
        this.folder = folder;
        this.exceptions = exceptions;
        this.before = files();
    }

    private Map<Path, String> files() throws IOException {
        Map<Path, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.filter(path -> exceptions.stream().noneMatch(path::startsWith))
                    .toList()) {
                boolean isFile = Files.isRegularFile(path);
                files.put(path, isFile ? Files.getLastModifiedTime(path) + " " + Sha256.hex(path) : "no file");
            }
        }
        return files;
    }

    /** Fails when a file is new, gone or changed. */
    public void assertUntouched(String after) throws IOException {
        assertThat(files())
                .as("files outside of the store and the cache after " + after)
                .isEqualTo(before);
    }
}
