package io.ontologia.nameservice.internal.object;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.GetOptions;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.LocalFiles;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectSummary;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The objects of records as the plain files that they are, when their store is a folder on this machine: listing and reading
 * many of them in place costs a fraction of asking the store, which looks up sizes, times and versions that nobody wants here.
 * For reading only. Safe for use by many threads.
 */
final class LocalKeys {
    private final Path root;

    private LocalKeys(Path root) {
        this.root = root;
    }

    /** The files of a store; empty when it is no folder of this machine, or holds no record yet. */
    static Optional<LocalKeys> of(ObjectStore store) {
        if (!(store instanceof LocalFiles files)) {
            return Optional.empty();
        }
        Optional<String> any = store.list(ListRequest.of(RecordKeys.ROOT).pageSize(1)).objects().stream()
                .map(ObjectSummary::key)
                .findFirst();
        return any.flatMap(key -> files.localPath(key).map(path -> {
            Path folder = path;
            for (int i = 0; i < key.split("/", -1).length; i++) {
                folder = Optional.ofNullable(folder.getParent()).orElse(folder);
            }
            return new LocalKeys(folder);
        }));
    }

    /** One version of an object, whole: a file is complete before it gets its name, and never changes. */
    byte[] read(String key) throws IOException {
        Path file = root.resolve(key);
        GetOptions.whole().most(Cells.MOST_BYTES).requireAtMost(key, Files.size(file));
        return Files.readAllBytes(file);
    }

    /**
     * Visits keys folder by folder, in order, until the visitor returns false.
     *
     * @param prefix what keys start with; does not end inside a branch
     * @param after the base after which to start; empty for the first
     */
    void forEach(String prefix, String after, Predicate<String> visitor) {
        String afterFolder = after.isEmpty() ? "" : after.substring(0, after.lastIndexOf('/') + 1);
        String[] folders = entries(root.resolve(RecordKeys.ROOT));
        // The order of keys, in which a slash follows each of them.
        Arrays.sort(folders, Comparator.comparing(folder -> folder + "/"));
        for (String folder : folders) {
            String start = RecordKeys.ROOT + folder + "/";
            if (!start.startsWith(prefix) || start.compareTo(afterFolder) < 0) {
                continue;
            }
            String[] files = entries(root.resolve(RecordKeys.ROOT + folder));
            if (files.length == 0 && Files.isRegularFile(root.resolve(RecordKeys.ROOT + folder))) {
                files = new String[] {""};
                start = RecordKeys.ROOT + folder;
            }
            for (String file : files) {
                String key = start + file;
                boolean isBefore = start.equals(afterFolder) && key.compareTo(RecordKeys.after(after)) <= 0;
                if (!isBefore && !visitor.test(key)) {
                    return;
                }
            }
        }
    }

    /** The names in a folder, sorted; none when there is no such folder. */
    private static String[] entries(Path folder) {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                String name = String.valueOf(entry.getFileName());
                if (!name.startsWith(".")) {
                    names.add(name);
                }
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            return new String[0];
        } catch (IOException | DirectoryIteratorException e) {
            throw unlistable(folder, e);
        }
        names.sort(null);
        return names.toArray(String[]::new);
    }

    /** Half a listing would look like records that are gone. */
    private static OntologiaException unlistable(Path folder, Exception cause) {
        return new OntologiaException(
                ErrorKind.UNAVAILABLE,
                "cannot list " + folder,
                cause.getClass().getSimpleName() + ": " + cause.getMessage(),
                "check that the folder can be read, and try again",
                cause);
    }
}
