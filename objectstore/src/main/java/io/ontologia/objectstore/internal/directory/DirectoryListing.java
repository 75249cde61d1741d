package io.ontologia.objectstore.internal.directory;

import io.ontologia.kernel.CodePointOrder;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectKey;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.objectstore.internal.SortedListing;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a request in the order of their keys, found while they are asked for: only the names of the folders on
 * the way are read, and only the entries that come out are looked at. Of a folder that is folded, one object comes out.
 */
final class DirectoryListing implements Iterator<ObjectSummary> {
    private static final String AFTER_ALL = Character.toString(Character.MAX_CODE_POINT);

    /**
     * A folder whose entries are being listed. A folder sorts as its name with a slash ({@code a-b} before {@code a/b}), so
     * every name waits without one until its turn comes, and when it turns out to be a folder then, queues once more.
     */
    private record Level(Path folder, String keyPrefix, PriorityQueue<String> names) {}

    private final ListRequest request;
    private final Optional<String> after;
    private final Deque<Level> levels = new ArrayDeque<>();
    private @Nullable ObjectSummary upcoming;
    private @Nullable ObjectSummary last;

    /** Starts at the folder that the request's prefix names. */
    DirectoryListing(Path root, ListRequest request) throws IOException {
        this.request = request;
        this.after = SortedListing.lowerBound(request);
        int slash = request.prefix().lastIndexOf('/');
        Path folder = root;
        if (slash >= 0) {
            for (String segment : request.prefix().substring(0, slash).split("/", -1)) {
                folder = FileNames.child(folder, segment);
                BasicFileAttributes attributes = ObjectFiles.attributesOfEntry(folder);
                if (attributes == null || !attributes.isDirectory()) {
                    return;
                }
            }
        }
        descend(folder, request.prefix().substring(0, slash + 1));
    }

    @Override
    public boolean hasNext() {
        if (upcoming == null) {
            try {
                upcoming = advance();
            } catch (IOException e) {
                throw Failures.unavailable("cannot list the store", e);
            }
        }
        return upcoming != null;
    }

    @Override
    public ObjectSummary next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        ObjectSummary result = Objects.requireNonNull(upcoming);
        last = result;
        upcoming = null;
        return result;
    }

    /** Lets the object that came out last come out again. */
    void unread() {
        upcoming = last;
    }

    /** How many names were read but did not come out yet. */
    int pending() {
        return levels.stream().mapToInt(level -> level.names().size()).sum();
    }

    private @Nullable ObjectSummary advance() throws IOException {
        if (last != null && isFolded(last.key())) {
            while (levels.size() > 1) {
                levels.pop();
            }
        }
        while (!levels.isEmpty()) {
            Level level = levels.element();
            String name = level.names().poll();
            if (name == null) {
                levels.pop();
                continue;
            }
            String key = level.keyPrefix() + name;
            if (name.endsWith("/")) {
                descend(FileNames.child(level.folder(), name.substring(0, name.length() - 1)), key);
                continue;
            }
            BasicFileAttributes attributes = ObjectFiles.attributesOfEntry(FileNames.child(level.folder(), name));
            if (attributes == null) {
                continue;
            }
            if (attributes.isDirectory()) {
                level.names().add(name + "/");
            } else if (attributes.isRegularFile() && isAfterStart(key) && isKey(key)) {
                FileVersion version = FileVersion.of(attributes);
                return new ObjectSummary(key, version.size(), version.lastModified());
            }
        }
        return null;
    }

    private boolean isFolded(String key) {
        return request.delimiter() == ListRequest.Delimiter.SLASH
                && key.indexOf('/', request.prefix().length()) >= 0;
    }

    private boolean isAfterStart(String key) {
        return after.isEmpty() || CodePointOrder.INSTANCE.compare(key, after.get()) > 0;
    }

    private void descend(Path folder, String keyPrefix) throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder)) {
            for (Path path : found) {
                FileNames.name(path)
                        .filter(name -> !name.startsWith(".") && isWanted(keyPrefix + name))
                        .ifPresent(names::add);
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            // Removed since its name was read, like every object in it.
            return;
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        PriorityQueue<String> queue = new PriorityQueue<>(Math.max(1, names.size()), CodePointOrder.INSTANCE);
        queue.addAll(names);
        levels.push(new Level(folder, keyPrefix, queue));
    }

    /** Whether this key, or any below it, may belong to the page. */
    private boolean isWanted(String key) {
        String prefix = request.prefix();
        String asFolder = key + "/";
        if (!key.startsWith(prefix) && !asFolder.startsWith(prefix)) {
            return false;
        }
        if (after.isEmpty()) {
            return true;
        }
        String start = after.get();
        boolean holdsStart = start.startsWith(asFolder) && !start.equals(asFolder + AFTER_ALL);
        return holdsStart || CodePointOrder.INSTANCE.compare(asFolder, start) > 0;
    }

    private static boolean isKey(String key) {
        try {
            ObjectKey.require(key);
            return true;
        } catch (OntologiaException e) {
            // A file that somebody else put here under a name that no object can have.
            if (e.kind() != ErrorKind.INVALID_INPUT) {
                throw e;
            }
            return false;
        }
    }
}
