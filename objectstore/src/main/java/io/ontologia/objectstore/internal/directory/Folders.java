package io.ontologia.objectstore.internal.directory;

import io.ontologia.kernel.FileModes;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Makes folders that survive a power failure, and removes them when they are empty. */
final class Folders {
    private static final int REMEMBERED = 20_000;
    private static final int ATTEMPTS = 20;

    private final Path root;
    private final FileModes modes;

    /** Folders whose entry in their parent is known to be on disk, by the inode that they had then. */
    private final Map<Path, Object> onDisk = new ConcurrentHashMap<>();

    Folders(Path root, FileModes modes) {
        this.root = root;
        this.modes = modes;
    }

    /**
     * Makes a folder at or below the root, and what is missing above it. On return it is there to stay, also when somebody
     * else made it just now and has not yet flushed it.
     *
     * @throws NotDirectoryException naming what is in the way when a file or link has its name
     */
    void make(Path folder) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                makeOnce(folder);
                return;
            } catch (NotDirectoryException | AccessDeniedException e) {
                throw e;
            } catch (FileSystemException e) {
                // Somebody found it, or a folder above it, empty, and removed it right after it was made.
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private void makeOnce(Path folder) throws IOException {
        BasicFileAttributes found = attributes(folder);
        if (found != null && identity(folder, found).equals(onDisk.get(folder))) {
            return;
        }
        if (!folder.equals(root)) {
            makeOnce(Objects.requireNonNull(folder.getParent()));
        } else if (found == null) {
            makeAbove(Objects.requireNonNull(root.getParent()));
        }
        boolean created = create(folder);
        BasicFileAttributes made = attributes(folder);
        if (made == null) {
            throw new NoSuchFileException(folder.toString());
        }
        Object identity = identity(folder, made);
        forceParent(folder, created);
        if (onDisk.size() >= REMEMBERED) {
            onDisk.clear();
        }
        onDisk.put(folder, identity);
    }

    private static Object identity(Path folder, BasicFileAttributes attributes) throws NotDirectoryException {
        if (!attributes.isDirectory()) {
            throw new NotDirectoryException(folder.toString());
        }
        return FileVersion.of(attributes).fileKey();
    }

    private void makeAbove(Path ancestor) throws IOException {
        if (ObjectFiles.attributes(ancestor) == null) {
            makeAbove(Objects.requireNonNull(ancestor.getParent()));
            if (create(ancestor)) {
                forceParent(ancestor, true);
            }
        }
    }

    private boolean create(Path folder) throws IOException {
        if (attributes(folder) != null) {
            if (!folder.equals(root) && folder.startsWith(root)) {
                modes.restrict(folder);
            }
            return false;
        }
        try {
            modes.createDirectory(folder);
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        }
    }

    private void forceParent(Path folder, boolean created) throws IOException {
        Path parent = folder.getParent();
        if (parent == null) {
            return;
        }
        try {
            force(parent);
        } catch (AccessDeniedException e) {
            // The root may stand in a folder that only others may read; then others made it.
            if (created || !folder.equals(root)) {
                throw e;
            }
        }
    }

    private @Nullable BasicFileAttributes attributes(Path folder) throws IOException {
        // Only the root and what is above it may be links: there the user chose them.
        return folder.equals(root) || !folder.startsWith(root)
                ? ObjectFiles.attributes(folder)
                : ObjectFiles.attributesOfEntry(folder);
    }

    /** Puts a folder's entries on disk. */
    void force(Path folder) throws IOException {
        try (FileChannel channel = FileModes.openExisting(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Puts a change of a folder on disk; when the folder itself is gone since, its removal instead. */
    void forceNearest(Path folder) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                force(nearest(folder));
                return;
            } catch (FileSystemException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private Path nearest(Path folder) throws IOException {
        if (folder.equals(root)) {
            return root;
        }
        BasicFileAttributes attributes = ObjectFiles.attributesOfEntry(folder);
        return attributes != null && attributes.isDirectory()
                ? folder
                : nearest(Objects.requireNonNull(folder.getParent()));
    }

    /** Removes a folder and those above it, below the root, as long as they are empty. Best effort. */
    void removeIfEmpty(Path folder) {
        try {
            for (Path at = folder; !at.equals(root); at = Objects.requireNonNull(at.getParent())) {
                if (!remove(at)) {
                    return;
                }
            }
        } catch (IOException e) {
            // An empty folder does no harm: no listing shows it.
            return;
        }
    }

    /**
     * Removes a folder that holds nothing but empty folders.
     *
     * @return false when there is a file somewhere in it
     */
    boolean removeTree(Path folder) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                BasicFileAttributes attributes = ObjectFiles.attributesOfEntry(entry);
                if (attributes != null && (!attributes.isDirectory() || !removeTree(entry))) {
                    return false;
                }
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            return true;
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return remove(folder);
    }

    /**
     * Removes one empty folder. {@link Files#delete} would not do: it removes a file too, and an object may have taken the
     * folder's name meanwhile.
     */
    private boolean remove(Path folder) throws IOException {
        Path parent = Objects.requireNonNull(folder.getParent());
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(parent)) {
            if (!(entries instanceof SecureDirectoryStream<Path> secure)) {
                return false;
            }
            secure.deleteDirectory(folder.getFileName());
            return true;
        } catch (NoSuchFileException e) {
            return true;
        } catch (IOException e) {
            BasicFileAttributes attributes = ObjectFiles.attributes(folder, LinkOption.NOFOLLOW_LINKS);
            return attributes == null || !attributes.isDirectory();
        }
    }
}
