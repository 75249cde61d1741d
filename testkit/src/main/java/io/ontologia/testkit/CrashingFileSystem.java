package io.ontologia.testkit;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.Set;
import java.util.stream.StreamSupport;

/**
 * The machine's own file system with a hook around every operation, which can count them, fail them as a full disk does,
 * or stop the process there so that somebody kills it. Code under test gets a {@link #path} and notices nothing else.
 *
 * <p>The first write to every open file takes only half of what it is given, as writes may, so that stopping between two
 * operations also leaves half-written files. As safe for use by many threads as the hook is.
 */
public final class CrashingFileSystem extends FileSystem {
    private final FileSystem real;
    private final CrashingProvider provider;

    /** What an operation does to the disk. */
    public enum Effect {
        /** Reads names, attributes or content. */
        LOOKS,
        /** Changes something, flushes it, or takes or gives back a lock. */
        CHANGES
    }

    /** Called around every operation, on the thread that asked for it. */
    public interface Hook {
        /**
         * Before the operation.
         *
         * @param what its name and the name of the file, for people
         * @throws IOException to make the operation fail without having happened
         */
        void before(Effect effect, String what) throws IOException;

        /**
         * After the operation succeeded.
         *
         * @throws IOException to make it look failed although it happened
         */
        default void after(Effect effect, String what) throws IOException {}
    }

    /** A file system, usually {@code FileSystems.getDefault()}, with the hook around it. */
    public CrashingFileSystem(FileSystem real, Hook hook) {
        this.real = real;
        this.provider = new CrashingProvider(this, real.provider(), hook);
    }

    /** The same place, reached through the hook. */
    public Path path(Path place) {
        return new CrashingPath(this, CrashingPath.unwrap(place));
    }

    @Override
    public FileSystemProvider provider() {
        return provider;
    }

    @Override
    public Path getPath(String first, String... more) {
        return path(real.getPath(first, more));
    }

    @Override
    public Iterable<Path> getRootDirectories() {
        return StreamSupport.stream(real.getRootDirectories().spliterator(), false)
                .map(this::path)
                .toList();
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException("the machine's file system stays open");
    }

    @Override
    public boolean isOpen() {
        return real.isOpen();
    }

    @Override
    public boolean isReadOnly() {
        return real.isReadOnly();
    }

    @Override
    public String getSeparator() {
        return real.getSeparator();
    }

    @Override
    public Iterable<FileStore> getFileStores() {
        return real.getFileStores();
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
        return real.supportedFileAttributeViews();
    }

    @Override
    public PathMatcher getPathMatcher(String syntaxAndPattern) {
        PathMatcher matcher = real.getPathMatcher(syntaxAndPattern);
        return path -> matcher.matches(CrashingPath.unwrap(path));
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
        return real.getUserPrincipalLookupService();
    }

    @Override
    public WatchService newWatchService() throws IOException {
        return real.newWatchService();
    }
}
