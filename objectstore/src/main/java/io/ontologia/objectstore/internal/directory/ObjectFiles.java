package io.ontologia.objectstore.internal.directory;

import io.ontologia.kernel.FileModes;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.ObjectKey;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * Finds and reads the files of objects, without locks: a file is complete before it gets its name and never changes
 * afterwards. No symbolic link below the root is followed, so no key leads out of it.
 */
final class ObjectFiles {
    private static final int ATTEMPTS = 1000;
    private static final int LOOKS = 5;

    private final Path root;
    private final ContentHashes hashes;

    ObjectFiles(Path root, ContentHashes hashes) {
        this.root = root;
        this.hashes = hashes;
    }

    /** What to do with an open file of a known version. */
    @FunctionalInterface
    interface Reading<T> {
        T read(FileVersion version, FileChannel channel) throws IOException;
    }

    /** Where the object of a valid key is or would be. */
    Path path(String key) {
        Path path = root;
        for (String segment : ObjectKey.require(key).split("/", -1)) {
            path = FileNames.child(path, segment);
        }
        return path;
    }

    /** The version that is there now, or null when there is none. */
    @Nullable FileVersion find(String key) throws IOException {
        String[] segments = ObjectKey.require(key).split("/", -1);
        Path at = root;
        for (int i = 0; i < segments.length; i++) {
            at = FileNames.child(at, segments[i]);
            BasicFileAttributes attributes = attributesOfEntry(at);
            if (attributes == null) {
                return null;
            }
            if (attributes.isSymbolicLink() || attributes.isOther()) {
                throw Failures.inTheWay(key, at, "a symbolic link or a special file");
            }
            if (attributes.isRegularFile()) {
                return i == segments.length - 1 ? FileVersion.of(attributes) : null;
            }
        }
        return null;
    }

    /** Whether the version is the one that the ETag names; reads the file only if its time does not tell. */
    boolean is(String key, FileVersion version, ETag etag) throws IOException {
        if (!version.mayHave(etag)) {
            return false;
        }
        Boolean same = read(
                key,
                (found, channel) -> found.equals(version)
                        && etag(path(key), found, (at, length) -> ContentHashes.read(channel, at, length))
                                .equals(etag));
        return same != null && same;
    }

    /** The ETag of a version, whose content is read only if its hash is not known. */
    ETag etag(Path path, FileVersion version, ContentHashes.Content content) throws IOException {
        return version.etag(hashes.of(path, version, content));
    }

    /** Reads the current version; null when there is no object. */
    <T> @Nullable T read(String key, Reading<T> reading) throws IOException {
        Path path = path(key);
        IOException failure = new IOException("it is replaced faster than it can be opened");
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            FileVersion version = find(key);
            if (version == null) {
                return null;
            }
            FileChannel opened;
            try {
                opened = FileModes.openExisting(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
            } catch (AccessDeniedException e) {
                throw e;
            } catch (FileSystemException e) {
                // Removed, or something else has taken its name or its folder's, since it was found: look again.
                failure = e;
                continue;
            }
            try (FileChannel channel = opened) {
                // Still there after opening: then it is this version that was opened. Times never repeat for a key.
                if (version.equals(find(key))) {
                    return reading.read(version, channel);
                }
            }
        }
        throw failure;
    }

    /** What a folder's entry is, without following links; null when there is none. */
    static @Nullable BasicFileAttributes attributesOfEntry(Path path) throws IOException {
        return attributes(path, LinkOption.NOFOLLOW_LINKS);
    }

    /** What is at a path, or at the end of the link there; null when there is nothing. */
    static @Nullable BasicFileAttributes attributes(Path path, LinkOption... options) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                return Files.readAttributes(path, BasicFileAttributes.class, options);
            } catch (NoSuchFileException e) {
                return null;
            } catch (AccessDeniedException e) {
                throw e;
            } catch (FileSystemException e) {
                if (isBelowFile(path)) {
                    return null;
                }
                // A file may have been above it a moment ago.
                if (attempt == LOOKS) {
                    throw e;
                }
            }
        }
    }

    /** Whether nothing can be at this path because what is above it is a file: Java has no error of its own for that. */
    private static boolean isBelowFile(Path path) {
        for (Path above = path.getParent(); above != null; above = above.getParent()) {
            if (Files.exists(above)) {
                return !Files.isDirectory(above);
            }
        }
        return false;
    }
}
