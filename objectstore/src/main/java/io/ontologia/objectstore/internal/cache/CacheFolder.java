package io.ontologia.objectstore.internal.cache;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.FileModes;
import io.ontologia.kernel.Sha256;
import io.ontologia.objectstore.internal.FileLockTimeout;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a cache:
 *
 * <pre>
 * cache.lock               held while anything below objects/ changes
 * objects/NAME             one object
 * objects/NAME.sum         its length and hash
 * processes/ID.lock        held while the cache that owns ID is open
 * processes/ID/            its downloads in progress and its links to objects
 * </pre>
 *
 * <p>An object is there when both its files are. The sum comes first and goes last, so whoever reads the sum and then links
 * the object has a pair that belongs together. The time of last modification of an object is that of its last use.
 *
 * <p>Looking up takes no lock. All methods may be called from many threads and processes at once.
 */
public final class CacheFolder {
    private static final Logger LOG = LoggerFactory.getLogger(CacheFolder.class);
    private static final String SUM = ".sum";

    private final Path objects;
    private final long maxBytes;
    private final Clock clock;
    private final Linker linker;
    private final FolderLock lock;
    private final ProcessFolder own;
    private final Map<String, Object> verified = new ConcurrentHashMap<>();
    private final AtomicLong evictions = new AtomicLong();

    /** A file of this process with the content of an object. */
    public record Copy(Path path, ContentSum sum) {}

    private record Entry(String name, long size, FileTime lastUse) {}

    /**
     * Opens a folder, made when it is not there, and removes what crashed processes left in it, unless another process holds
     * the folder's lock until the limit.
     *
     * @param lockTimeout the longest wait for other processes
     */
    public CacheFolder(
            Path folder, long maxBytes, Clock clock, RandomGenerator random, Linker linker, Duration lockTimeout)
            throws IOException {
        this.objects = FileModes.PRIVATE.ensureOwnFolder(folder.resolve("objects"));
        this.maxBytes = maxBytes;
        this.clock = clock;
        this.linker = linker;
        this.lock = new FolderLock(folder, clock, lockTimeout);
        Path processes = FileModes.PRIVATE.ensureOwnFolder(folder.resolve("processes"));
        this.own = ProcessFolder.create(processes, random);
        try (FolderLock.Held held = lock.acquire()) {
            ProcessFolder.removeDead(processes);
            held.bytes(makeRoom(0));
        } catch (FileLockTimeout e) {
            LOG.atWarn()
                    .addKeyValue("folder", folder)
                    .addKeyValue("reason", e.getMessage())
                    .log("cache used without keeping new objects");
        } catch (IOException | RuntimeException | Error e) {
            own.remove();
            throw e;
        }
    }

    /** A path of this process at which there is no file yet. */
    public Path newFile() {
        return own.newFile();
    }

    /**
     * Looks for an object. One that is damaged is removed and counts as not there.
     *
     * @param wanted whether it is the right one
     * @return a file of our own, which stays when the object is evicted; the caller deletes it
     */
    public Optional<Copy> find(String name, Predicate<ContentSum> wanted) throws IOException {
        Optional<ContentSum> sum = readSum(name).filter(wanted);
        if (sum.isEmpty()) {
            return Optional.empty();
        }
        Path object = objects.resolve(name);
        Path copy = own.newFile();
        boolean whole = false;
        try {
            Object identity = identity(object);
            linker.linkOrCopy(copy, object);
            whole = isWhole(name, identity, copy, sum.get());
            if (!whole) {
                drop(name, identity);
                return Optional.empty();
            }
            touch(object);
            return Optional.of(new Copy(copy, sum.get()));
        } catch (NoSuchFileException e) {
            // Evicted just now.
            return Optional.empty();
        } finally {
            if (!whole) {
                Files.deleteIfExists(copy);
            }
        }
    }

    /** The length is looked at every time; the hash once in a process, because disks lie rarely and hashing costs. */
    private boolean isWhole(String name, Object identity, Path copy, ContentSum sum) throws IOException {
        if (Files.size(copy) != sum.length()) {
            return false;
        }
        if (!identity.equals(verified.get(name))) {
            if (!Sha256.hex(copy).equals(sum.sha256())) {
                return false;
            }
            verified.put(name, identity);
        }
        return true;
    }

    /**
     * Adds an object whose content was checked, and evicts those that were used longest ago when there is no room for it.
     * An object that is larger than the whole cache is not added. The given file stays what it is.
     */
    public void publish(String name, Copy content) throws IOException {
        ContentSum sum = content.sum();
        if (sum.length() > maxBytes) {
            return;
        }
        touch(content.path());
        try (FolderLock.Held held = lock.acquire()) {
            if (isThere(name, sum)) {
                return;
            }
            remove(held, name);
            long bytes = held.bytes();
            if (bytes < 0 || bytes > maxBytes - sum.length()) {
                bytes = makeRoom(sum.length());
            }
            held.bytes(bytes + sum.length());
            try {
                add(name, content);
                verified.put(name, identity(objects.resolve(name)));
            } catch (IOException | RuntimeException | Error e) {
                held.forgetBytes();
                removeFiles(name);
                throw e;
            }
        }
    }

    private boolean isThere(String name, ContentSum sum) throws IOException {
        try {
            return readSum(name).equals(Optional.of(sum)) && Files.size(objects.resolve(name)) == sum.length();
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private void add(String name, Copy content) throws IOException {
        Path sum = own.newFile();
        Path object = own.newFile();
        try {
            FileModes.PRIVATE.writeString(sum, content.sum().text());
            linker.linkOrCopy(object, content.path());
            Files.move(sum, objects.resolve(name + SUM), StandardCopyOption.ATOMIC_MOVE);
            Files.move(object, objects.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(sum);
            Files.deleteIfExists(object);
        }
    }

    /** Removes a damaged object, unless somebody replaced it meanwhile. */
    private void drop(String name, Object identity) throws IOException {
        verified.remove(name, identity);
        try (FolderLock.Held held = lock.acquire()) {
            if (identity.equals(identity(objects.resolve(name)))) {
                remove(held, name);
            }
        } catch (NoSuchFileException | FileLockTimeout e) {
            // Evicted just now, or another process has the folder's lock: it counts as not there in either case.
            return;
        }
    }

    /** Removes an object, if it is there. */
    public void remove(String name) throws IOException {
        if (!Files.exists(objects.resolve(name))) {
            return;
        }
        verified.remove(name);
        try (FolderLock.Held held = lock.acquire()) {
            remove(held, name);
        }
    }

    private void remove(FolderLock.Held held, String name) throws IOException {
        Path object = objects.resolve(name);
        long size = Files.exists(object) ? Files.size(object) : 0;
        removeFiles(name);
        if (held.bytes() >= 0) {
            held.bytes(Math.max(0, held.bytes() - size));
        }
    }

    private void removeFiles(String name) throws IOException {
        Files.deleteIfExists(objects.resolve(name));
        Files.deleteIfExists(objects.resolve(name + SUM));
    }

    /**
     * Looks at all files, removes halves that a crash left, and evicts until the given number of bytes has room.
     *
     * @return the bytes that are left
     */
    private long makeRoom(long needed) throws IOException {
        List<Entry> entries = entries();
        long bytes = entries.stream().mapToLong(Entry::size).sum();
        if (bytes > maxBytes - needed) {
            // A little more than necessary, so that not every new object has to look at all files again.
            long enough = Math.max(0, maxBytes - maxBytes / 16 - needed);
            entries.sort(Comparator.comparing(Entry::lastUse).thenComparing(Entry::name));
            for (Entry entry : entries) {
                if (bytes <= enough) {
                    break;
                }
                removeFiles(entry.name());
                verified.remove(entry.name());
                evictions.incrementAndGet();
                bytes -= entry.size();
            }
        }
        return bytes;
    }

    private List<Entry> entries() throws IOException {
        Set<String> names = new HashSet<>(Folders.names(objects));
        List<Entry> entries = new ArrayList<>();
        for (String name : names) {
            boolean isSum = name.endsWith(SUM);
            String other = isSum ? name.substring(0, name.length() - SUM.length()) : name + SUM;
            if (!names.contains(other)) {
                Files.deleteIfExists(objects.resolve(name));
            } else if (!isSum) {
                BasicFileAttributes file = Files.readAttributes(objects.resolve(name), BasicFileAttributes.class);
                entries.add(new Entry(name, file.size(), file.lastModifiedTime()));
            }
        }
        verified.keySet().retainAll(names);
        return entries;
    }

    /** The bytes of all objects, as far as one can tell without a lock. */
    public long bytes() throws IOException {
        return Folders.names(objects).stream()
                .filter(name -> !name.endsWith(SUM))
                .mapToLong(name -> objects.resolve(name).toFile().length())
                .sum();
    }

    /** How many objects were evicted through this cache. */
    public long evictions() {
        return evictions.get();
    }

    /**
     * Notes that an object is used once more.
     *
     * @return whether the file that was found then is still there
     */
    public boolean useAgain(String name, Copy copy) {
        touch(objects.resolve(name));
        return Files.exists(copy.path());
    }

    private void touch(Path file) {
        try {
            Files.setLastModifiedTime(file, FileTime.from(clock.now()));
        } catch (IOException e) {
            // Evicted just now, or another user's: the order of eviction is no reason to fail.
            return;
        }
    }

    private Optional<ContentSum> readSum(String name) throws IOException {
        try {
            return ContentSum.parse(Files.readString(objects.resolve(name + SUM)));
        } catch (NoSuchFileException | CharacterCodingException e) {
            return Optional.empty();
        }
    }

    /** Tells a file from another one that has its name later. */
    private static Object identity(Path file) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        return attributes.fileKey() == null ? attributes.creationTime() : attributes.fileKey();
    }

    /** Removes the files of this process. */
    public void close() throws IOException {
        own.remove();
    }
}
