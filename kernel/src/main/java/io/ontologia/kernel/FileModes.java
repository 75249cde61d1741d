package io.ontologia.kernel;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/**
 * Creates files and folders, and decides which users of the machine can read them. All code that creates a file uses this class, so
 * that no file is created without a decision. File systems without POSIX permissions, such as those of Windows, are used as they are.
 *
 * <p>All methods may be called from any thread.
 */
public enum FileModes {
    /** Only for the user of this process: folders get the mode 0700 and files 0600, whatever the umask is. */
    PRIVATE,

    /** As the umask of the process says: for databases, exports and other files whose place the user chose. */
    UMASK;

    private static final String FOLDER = "rwx------";
    private static final String FILE = "rw-------";

    /** Creates a folder and the folders above it that are missing. What exists is left as it is. */
    public Path createDirectories(Path path) throws IOException {
        return Files.createDirectories(path, attributes(path, FOLDER));
    }

    /** Creates a folder whose parent exists. */
    public Path createDirectory(Path path) throws IOException {
        return Files.createDirectory(path, attributes(path, FOLDER));
    }

    /**
     * Creates a folder that belongs to this product, as {@link #createDirectories} does. One that exists and gives more rights than
     * this mode loses them, if it belongs to this user: earlier versions created it with the umask.
     */
    public Path ensureOwnFolder(Path path) throws IOException {
        Path created = createDirectories(path);
        restrict(created);
        return created;
    }

    /** Takes away rights of other users that this mode does not give. Best effort: a folder of another user stays as it is. */
    public void restrict(Path path) {
        if (this == UMASK || !hasPermissions(path)) {
            return;
        }
        try {
            Set<PosixFilePermission> now = Files.getPosixFilePermissions(path);
            Set<PosixFilePermission> fewer = EnumSet.noneOf(PosixFilePermission.class);
            fewer.addAll(now);
            fewer.retainAll(PosixFilePermissions.fromString(FOLDER));
            if (!fewer.equals(now)) {
                Files.setPosixFilePermissions(path, fewer);
            }
        } catch (IOException | UnsupportedOperationException e) {
            // It belongs to another user, or is gone.
            return;
        }
    }

    /** Opens a file that may be created, with options as for {@link FileChannel#open(Path, OpenOption...)}. */
    public FileChannel open(Path path, OpenOption... options) throws IOException {
        return FileChannel.open(path, Set.of(options), attributes(path, FILE));
    }

    /** Opens a file that must exist. */
    public static FileChannel openExisting(Path path, OpenOption... options) throws IOException {
        Set<OpenOption> all = Set.of(options);
        if (all.contains(StandardOpenOption.CREATE) || all.contains(StandardOpenOption.CREATE_NEW)) {
            throw new IllegalArgumentException("this would create a file");
        }
        return FileChannel.open(path, all);
    }

    /** Writes a file from its start; one that exists is emptied first and keeps its mode. */
    public OutputStream newOutputStream(Path path) throws IOException {
        return Channels.newOutputStream(
                open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING));
    }

    /** As {@link #newOutputStream}, for text in UTF-8. */
    public BufferedWriter newWriter(Path path) throws IOException {
        return new BufferedWriter(new OutputStreamWriter(newOutputStream(path), StandardCharsets.UTF_8.newEncoder()));
    }

    /** Writes a whole file. */
    public void write(Path path, byte[] content) throws IOException {
        try (OutputStream out = newOutputStream(path)) {
            out.write(content);
        }
    }

    /** Writes a whole file in UTF-8. */
    public void writeString(Path path, String text) throws IOException {
        write(path, text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Writes a whole file that does not exist yet.
     *
     * @throws java.nio.file.FileAlreadyExistsException when it does
     */
    public void createFile(Path path, InputStream content) throws IOException {
        try (OutputStream out =
                Channels.newOutputStream(open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))) {
            content.transferTo(out);
        }
    }

    /** Creates an empty file with a new name, always with the mode of {@link #PRIVATE}. */
    public static Path createTempFile(Path folder, String prefix, String suffix) throws IOException {
        return Files.createTempFile(folder, prefix, suffix);
    }

    /** Creates an empty file with a new name in the temporary folder, always with the mode of {@link #PRIVATE}. */
    public static Path createTempFile(String prefix, String suffix) throws IOException {
        return Files.createTempFile(prefix, suffix);
    }

    /** Creates a folder with a new name, always with the mode of {@link #PRIVATE}. */
    public static Path createTempDirectory(Path folder, String prefix) throws IOException {
        return Files.createTempDirectory(folder, prefix);
    }

    /** Creates a folder with a new name in the temporary folder, always with the mode of {@link #PRIVATE}. */
    public static Path createTempDirectory(String prefix) throws IOException {
        return Files.createTempDirectory(prefix);
    }

    /** Whether users other than the owner can read a file; false where the file system has no permissions. */
    public static boolean isReadableByOthers(Path path) throws IOException {
        if (!hasPermissions(path)) {
            return false;
        }
        Set<PosixFilePermission> now = Files.getPosixFilePermissions(path);
        return now.contains(PosixFilePermission.GROUP_READ) || now.contains(PosixFilePermission.OTHERS_READ);
    }

    private FileAttribute<?>[] attributes(Path path, String permissions) {
        return this == PRIVATE && hasPermissions(path)
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    private static boolean hasPermissions(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
