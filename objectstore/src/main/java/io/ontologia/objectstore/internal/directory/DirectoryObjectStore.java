package io.ontologia.objectstore.internal.directory;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.FileModes;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.DeleteOutcome;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.GetOptions;
import io.ontologia.objectstore.GetOutcome;
import io.ontologia.objectstore.ListPage;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.LocalFiles;
import io.ontologia.objectstore.ObjectKey;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStoreOptions;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import io.ontologia.objectstore.StoredObject;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Objects as plain files below a folder: the file of key {@code a/b} is {@code root/a/b} and holds exactly its bytes, so
 * that other programs can read it in place. What the store needs for itself is in {@code root/.onto}.
 *
 * <p>The folder is made by the first write, never by a read; while it is missing the store is empty. A write is on disk,
 * with the folders that lead to it, before it is reported. An ETag is a hash of the content and the time of the file,
 * which the store sets so that no two versions of a key ever share it, whatever the clock does.
 */
public final class DirectoryObjectStore implements ObjectStore, LocalFiles {
    private final Path root;
    private final Clock clock;
    private final String location;
    private final ObjectFiles objects;
    private final ObjectWriter writer;
    private final UnfinishedListings listings;
    private volatile boolean closed;

    /** As the longer constructor, with the lock timeout of {@link ObjectStoreOptions#defaults()}. */
    public DirectoryObjectStore(Path root, Clock clock, RandomGenerator random) {
        this(root, clock, random, ObjectStoreOptions.defaults().lockTimeout(), FileModes.UMASK);
    }

    /**
     * Opens the store without making anything.
     *
     * @param random names temporary files; used under a lock
     * @param lockTimeout how long a write waits for another process that changes the same part of the folder
     * @param modes which users can read the files that the store creates
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when there is something else than a folder, or of
     *     kind {@link ErrorKind#UNAVAILABLE} when it may not be read
     */
    public DirectoryObjectStore(Path root, Clock clock, RandomGenerator random, Duration lockTimeout, FileModes modes) {
        this.root = root.toAbsolutePath().normalize();
        this.clock = clock;
        String uri = this.root.toUri().toString();
        this.location =
                uri.endsWith("/") && uri.length() > "file:///".length() ? uri.substring(0, uri.length() - 1) : uri;
        requireFolder();
        ContentHashes hashes = new ContentHashes();
        this.objects = new ObjectFiles(this.root, hashes);
        this.writer = new ObjectWriter(this.root, objects, hashes, clock, random, lockTimeout, modes);
        this.listings = new UnfinishedListings(this.root);
        writer.sweep();
    }

    /** Opens the store of a URI like {@code file:///folder}. */
    public static DirectoryObjectStore open(String uri, ObjectStoreOptions options, RandomGenerator random) {
        return new DirectoryObjectStore(
                FileNames.folderOf(uri), options.clock(), random, options.lockTimeout(), options.fileModes());
    }

    private void requireFolder() {
        Path existing = root;
        while (!Files.exists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        if (!Files.isDirectory(existing)) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "cannot open '" + location + "'",
                    existing + " is not a folder",
                    "name a folder, or one that can be made");
        }
        if (existing.equals(root) && !Files.isReadable(root)) {
            throw new OntologiaException(
                    ErrorKind.UNAVAILABLE,
                    "cannot open '" + location + "'",
                    "access to " + root + " was denied",
                    "check the folder's permissions");
        }
    }

    @Override
    public String location() {
        return location;
    }

    @Override
    public GetOutcome get(String key, GetOptions options) {
        requireOpen();
        Path path = objects.path(key);
        GetOutcome outcome = read(key, (version, channel) -> get(key, path, options, version, channel));
        return outcome == null ? new GetOutcome.Missing() : outcome;
    }

    private GetOutcome get(String key, Path path, GetOptions options, FileVersion version, FileChannel channel)
            throws IOException {
        ContentHashes.Content content = (at, length) -> ContentHashes.read(channel, at, length);
        Optional<ETag> known = options.ifNoneMatch();
        if (known.isPresent()
                && version.mayHave(known.get())
                && objects.etag(path, version, content).equals(known.get())) {
            return new GetOutcome.NotModified();
        }
        long size = version.size();
        options.range().ifPresent(range -> range.requireWithin(key, size));
        long first = options.range().map(range -> range.first(size)).orElse(0L);
        long end = options.range().map(range -> range.end(size)).orElse(size);
        options.requireAtMost(key, end - first);
        if (end - first > Integer.MAX_VALUE - 8) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "cannot hold '" + key + "' in memory",
                    "it has " + size + " bytes",
                    "download it to a file, or read a range");
        }
        byte[] bytes = ContentHashes.read(channel, first, (int) (end - first));
        if (bytes.length == size) {
            content = (at, length) -> Arrays.copyOfRange(bytes, (int) at, (int) at + length);
        }
        ETag etag = objects.etag(path, version, content);
        return new GetOutcome.Found(new StoredObject(bytes, etag, size, version.lastModified(), clock.now()));
    }

    @Override
    public Optional<ObjectSummary> download(String key, Path target) {
        requireOpen();
        return Optional.ofNullable(read(key, (version, channel) -> {
            copy(channel, version.size(), target);
            return new ObjectSummary(key, version.size(), version.lastModified());
        }));
    }

    private static void copy(FileChannel from, long size, Path target) throws IOException {
        try (FileChannel to = FileModes.PRIVATE.open(
                target, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            for (long done = 0; done < size; ) {
                done += from.transferTo(done, size - done, to);
            }
        } catch (IOException e) {
            throw Failures.unavailable("cannot write " + target, e);
        }
    }

    @Override
    public ETag put(String key, Payload payload) {
        requireOpen();
        PutOutcome outcome = writer.put(key, payload, current -> true);
        if (outcome instanceof PutOutcome.Written written) {
            return written.etag();
        }
        if (outcome instanceof PutOutcome.Unknown unknown) {
            throw unknown.reason();
        }
        throw new IllegalStateException("refused without a condition");
    }

    @Override
    public PutOutcome putIfAbsent(String key, Payload payload) {
        requireOpen();
        return writer.put(key, payload, Objects::isNull);
    }

    @Override
    public PutOutcome putIfMatch(String key, Payload payload, ETag expected) {
        requireOpen();
        return writer.put(key, payload, current -> current != null && objects.is(key, current, expected));
    }

    @Override
    public void delete(String key) {
        requireOpen();
        if (writer.delete(key, Objects::nonNull) instanceof DeleteOutcome.Unknown unknown) {
            throw unknown.reason();
        }
    }

    @Override
    public DeleteOutcome deleteIfMatch(String key, ETag expected) {
        requireOpen();
        return writer.delete(key, current -> current != null && objects.is(key, current, expected));
    }

    @Override
    public Map<String, String> deleteAll(Collection<String> keys) {
        requireOpen();
        keys.forEach(ObjectKey::require);
        return writer.deleteAll(keys);
    }

    @Override
    public ListPage list(ListRequest request) {
        requireOpen();
        try {
            return listings.page(request);
        } catch (IOException e) {
            throw Failures.unavailable("cannot list the store", e);
        }
    }

    @Override
    public Path folder() {
        return root;
    }

    @Override
    public Optional<Path> localPath(String key) {
        requireOpen();
        try {
            return objects.find(key) == null ? Optional.empty() : Optional.of(objects.path(key));
        } catch (IOException e) {
            throw Failures.unavailable("cannot find '" + key + "'", e);
        }
    }

    @Override
    public void close() {
        closed = true;
    }

    private <T> @Nullable T read(String key, ObjectFiles.Reading<T> reading) {
        try {
            return objects.read(key, reading);
        } catch (IOException e) {
            throw Failures.unavailable("cannot read '" + key + "'", e);
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new OntologiaException(
                    ErrorKind.CLOSED, "cannot use the store " + location, "it was closed", "open it again");
        }
    }
}
