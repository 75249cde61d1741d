package io.ontologia.testkit;

import static io.ontologia.testkit.CrashingFileSystem.Effect.CHANGES;

import io.ontologia.testkit.CrashingFileSystem.Hook;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.util.Iterator;
import java.util.Set;

/** An open folder with a hook around what it changes. */
final class CrashingFolder implements SecureDirectoryStream<Path> {
    private final CrashingFileSystem fileSystem;
    private final SecureDirectoryStream<Path> real;
    private final Hook hook;

    CrashingFolder(CrashingFileSystem fileSystem, SecureDirectoryStream<Path> real, Hook hook) {
        this.fileSystem = fileSystem;
        this.real = real;
        this.hook = hook;
    }

    @Override
    public Iterator<Path> iterator() {
        Iterator<Path> entries = real.iterator();
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return entries.hasNext();
            }

            @Override
            public Path next() {
                return fileSystem.path(entries.next());
            }
        };
    }

    @Override
    public SecureDirectoryStream<Path> newDirectoryStream(Path path, LinkOption... options) throws IOException {
        return new CrashingFolder(fileSystem, real.newDirectoryStream(CrashingPath.unwrap(path), options), hook);
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) {
        throw new UnsupportedOperationException("open files by their paths, where the hook sees it");
    }

    @Override
    public void deleteFile(Path path) throws IOException {
        CrashingProvider.around(hook, CHANGES, "delete " + path, () -> real.deleteFile(CrashingPath.unwrap(path)));
    }

    @Override
    public void deleteDirectory(Path path) throws IOException {
        CrashingProvider.around(
                hook, CHANGES, "delete folder " + path, () -> real.deleteDirectory(CrashingPath.unwrap(path)));
    }

    @Override
    public void move(Path source, SecureDirectoryStream<Path> folder, Path target) throws IOException {
        if (!(folder instanceof CrashingFolder other)) {
            throw new IllegalArgumentException("the other folder belongs to another file system");
        }
        CrashingProvider.around(
                hook,
                CHANGES,
                "move to " + target,
                () -> real.move(CrashingPath.unwrap(source), other.real, CrashingPath.unwrap(target)));
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(Class<V> type) {
        return real.getFileAttributeView(type);
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(Path path, Class<V> type, LinkOption... options) {
        return real.getFileAttributeView(CrashingPath.unwrap(path), type, options);
    }

    @Override
    public void close() throws IOException {
        real.close();
    }
}
