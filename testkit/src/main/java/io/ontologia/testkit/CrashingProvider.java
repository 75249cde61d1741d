package io.ontologia.testkit;

import static io.ontologia.testkit.CrashingFileSystem.Effect.CHANGES;
import static io.ontologia.testkit.CrashingFileSystem.Effect.LOOKS;

import io.ontologia.testkit.CrashingFileSystem.Effect;
import io.ontologia.testkit.CrashingFileSystem.Hook;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.spi.FileSystemProvider;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Runs every operation of a file system between the two calls of a hook. */
final class CrashingProvider extends FileSystemProvider {
    private final CrashingFileSystem fileSystem;
    private final FileSystemProvider real;
    private final Hook hook;

    CrashingProvider(CrashingFileSystem fileSystem, FileSystemProvider real, Hook hook) {
        this.fileSystem = fileSystem;
        this.real = real;
        this.hook = hook;
    }

    /** An operation with a result. */
    @FunctionalInterface
    interface Work<T extends @Nullable Object> {
        T run() throws IOException;
    }

    /** An operation without a result. */
    @FunctionalInterface
    interface Step {
        void run() throws IOException;
    }

    static <T extends @Nullable Object> T around(Hook hook, Effect effect, String what, Work<T> work)
            throws IOException {
        hook.before(effect, what);
        T result = work.run();
        hook.after(effect, what);
        return result;
    }

    static void around(Hook hook, Effect effect, String what, Step step) throws IOException {
        hook.before(effect, what);
        step.run();
        hook.after(effect, what);
    }

    private static Path unwrap(Path path) {
        return CrashingPath.unwrap(path);
    }

    @Override
    public String getScheme() {
        return real.getScheme();
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> env) throws IOException {
        return real.newFileSystem(uri, env);
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
        return fileSystem;
    }

    @Override
    public Path getPath(URI uri) {
        return fileSystem.path(real.getPath(uri));
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        return newFileChannel(path, options, attributes);
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        Effect effect = options.contains(StandardOpenOption.WRITE) || options.contains(StandardOpenOption.APPEND)
                ? CHANGES
                : LOOKS;
        hook.before(effect, "open " + path);
        FileChannel channel = real.newFileChannel(unwrap(path), options, attributes);
        try {
            hook.after(effect, "open " + path);
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        }
        return new CrashingChannel(channel, hook, effect, path.toString());
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path folder, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        DirectoryStream.Filter<Path> realFilter = path -> filter.accept(fileSystem.path(path));
        DirectoryStream<Path> stream =
                around(hook, LOOKS, "list " + folder, () -> real.newDirectoryStream(unwrap(folder), realFilter));
        return stream instanceof SecureDirectoryStream<Path> secure
                ? new CrashingFolder(fileSystem, secure, hook)
                : stream;
    }

    @Override
    public void createDirectory(Path folder, FileAttribute<?>... attributes) throws IOException {
        around(hook, CHANGES, "make folder " + folder, () -> real.createDirectory(unwrap(folder), attributes));
    }

    @Override
    public void delete(Path path) throws IOException {
        around(hook, CHANGES, "delete " + path, () -> real.delete(unwrap(path)));
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options) throws IOException {
        around(hook, CHANGES, "copy to " + target, () -> real.copy(unwrap(source), unwrap(target), options));
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) throws IOException {
        around(hook, CHANGES, "move to " + target, () -> real.move(unwrap(source), unwrap(target), options));
    }

    @Override
    public boolean isSameFile(Path path, Path other) throws IOException {
        return around(hook, LOOKS, "compare " + path, () -> real.isSameFile(unwrap(path), unwrap(other)));
    }

    @Override
    public boolean isHidden(Path path) throws IOException {
        return real.isHidden(unwrap(path));
    }

    @Override
    public FileStore getFileStore(Path path) throws IOException {
        return around(hook, LOOKS, "file store of " + path, () -> real.getFileStore(unwrap(path)));
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        around(hook, LOOKS, "check access to " + path, () -> real.checkAccess(unwrap(path), modes));
    }

    /** Only the basic view; its setter is the one operation of it that the hook sees. */
    @Override
    public <V extends FileAttributeView> @Nullable V getFileAttributeView(
            Path path, Class<V> type, LinkOption... options) {
        if (type != BasicFileAttributeView.class) {
            throw new UnsupportedOperationException("only the basic view is supported, not " + type);
        }
        BasicFileAttributeView view = real.getFileAttributeView(unwrap(path), BasicFileAttributeView.class, options);
        return type.cast(new BasicFileAttributeView() {
            @Override
            public String name() {
                return view.name();
            }

            @Override
            public BasicFileAttributes readAttributes() throws IOException {
                return around(hook, LOOKS, "read attributes of " + path, view::readAttributes);
            }

            @Override
            public void setTimes(@Nullable FileTime modified, @Nullable FileTime accessed, @Nullable FileTime created)
                    throws IOException {
                around(hook, CHANGES, "set times of " + path, () -> view.setTimes(modified, accessed, created));
            }
        });
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        return around(
                hook, LOOKS, "read attributes of " + path, () -> real.readAttributes(unwrap(path), type, options));
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) throws IOException {
        return around(
                hook,
                LOOKS,
                "read attributes of " + path,
                () -> real.readAttributes(unwrap(path), attributes, options));
    }

    @Override
    public void setAttribute(Path path, String attribute, Object value, LinkOption... options) throws IOException {
        around(
                hook,
                CHANGES,
                "set attribute of " + path,
                () -> real.setAttribute(unwrap(path), attribute, value, options));
    }
}
