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
     * Visits keys in order until the visitor returns false.
     *
     * @param prefix what keys start with
     * @param after the base after which to start; empty for the first
     */
    void forEach(String prefix, String after, Predicate<String> visitor) {
        var unused = visit(RecordKeys.ROOT, prefix, after.isEmpty() ? "" : RecordKeys.after(after), visitor);
    }

    private boolean visit(String folder, String prefix, String after, Predicate<String> visitor) {
        String[] names = entries(root.resolve(folder));
        for (int i = 0; i < names.length; i++) {
            // Objects have a suffix; what has none is a folder. The order is that of keys, in which a slash follows
            // folders.
            boolean suffixed = names[i].endsWith(Part.LEGACY_SUFFIX)
                    && !(folder.equals(RecordKeys.ROOT) && Files.isDirectory(root.resolve(folder + names[i])));
            names[i] += suffixed ? "" : "/";
        }
        Arrays.sort(names);
        for (String name : names) {
            String key = folder + name;
            if (!name.endsWith("/")) {
                if (key.startsWith(prefix) && key.compareTo(after) > 0 && !visitor.test(key)) {
                    return false;
                }
                continue;
            }
            boolean mayHold = key.startsWith(prefix) || prefix.startsWith(key);
            boolean isBefore = key.compareTo(after) < 0 && !after.startsWith(key);
            if (mayHold && !isBefore && !inside(key, prefix, after, visitor)) {
                return false;
            }
        }
        return true;
    }

    private boolean inside(String folder, String prefix, String after, Predicate<String> visitor) {
        String file = folder.substring(0, folder.length() - 1);
        return Files.isRegularFile(root.resolve(file)) ? visitor.test(file) : visit(folder, prefix, after, visitor);
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
