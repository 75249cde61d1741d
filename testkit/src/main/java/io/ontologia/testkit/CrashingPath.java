package io.ontologia.testkit;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import org.jspecify.annotations.Nullable;

/** A path whose file system is a {@link CrashingFileSystem}. */
final class CrashingPath implements Path {
    private final CrashingFileSystem fileSystem;
    private final Path real;

    CrashingPath(CrashingFileSystem fileSystem, Path real) {
        this.fileSystem = fileSystem;
        this.real = real;
    }

    static Path unwrap(Path path) {
        return path instanceof CrashingPath crashing ? crashing.real : path;
    }

    private Path wrap(Path path) {
        return new CrashingPath(fileSystem, path);
    }

    private @Nullable Path wrapNullable(@Nullable Path path) {
        return path == null ? null : wrap(path);
    }

    @Override
    public FileSystem getFileSystem() {
        return fileSystem;
    }

    @Override
    public boolean isAbsolute() {
        return real.isAbsolute();
    }

    @Override
    public @Nullable Path getRoot() {
        return wrapNullable(real.getRoot());
    }

    @Override
    public @Nullable Path getFileName() {
        return wrapNullable(real.getFileName());
    }

    @Override
    public @Nullable Path getParent() {
        return wrapNullable(real.getParent());
    }

    @Override
    public int getNameCount() {
        return real.getNameCount();
    }

    @Override
    public Path getName(int index) {
        return wrap(real.getName(index));
    }

    @Override
    public Path subpath(int beginIndex, int endIndex) {
        return wrap(real.subpath(beginIndex, endIndex));
    }

    @Override
    public boolean startsWith(Path other) {
        return real.startsWith(unwrap(other));
    }

    @Override
    public boolean endsWith(Path other) {
        return real.endsWith(unwrap(other));
    }

    @Override
    public Path normalize() {
        return wrap(real.normalize());
    }

    @Override
    public Path resolve(Path other) {
        return wrap(real.resolve(unwrap(other)));
    }

    @Override
    public Path relativize(Path other) {
        return wrap(real.relativize(unwrap(other)));
    }

    @Override
    public URI toUri() {
        return real.toUri();
    }

    @Override
    public Path toAbsolutePath() {
        return wrap(real.toAbsolutePath());
    }

    @Override
    public Path toRealPath(LinkOption... options) throws IOException {
        return wrap(real.toRealPath(options));
    }

    @Override
    public WatchKey register(WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers)
            throws IOException {
        return real.register(watcher, events, modifiers);
    }

    @Override
    public int compareTo(Path other) {
        return real.compareTo(unwrap(other));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof CrashingPath path && path.fileSystem == fileSystem && path.real.equals(real);
    }

    @Override
    public int hashCode() {
        return real.hashCode();
    }

    @Override
    public String toString() {
        return real.toString();
    }
}
