package io.ontologia.objectstore.internal.cache;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Folders without subfolders. */
final class Folders {
    private Folders() {}

    /** The names of all files in a folder. */
    static List<String> names(Path folder) throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                names.add(String.valueOf(file.getFileName()));
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return names;
    }

    /** Removes a folder and all files in it, if it is there. */
    static void remove(Path folder) throws IOException {
        try {
            for (String name : names(folder)) {
                Files.deleteIfExists(folder.resolve(name));
            }
        } catch (NoSuchFileException e) {
            return;
        }
        Files.deleteIfExists(folder);
    }
}
