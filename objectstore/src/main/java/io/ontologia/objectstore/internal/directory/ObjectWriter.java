package io.ontologia.objectstore.internal.directory;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.FileModes;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.DeleteOutcome;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Changes objects. The one moment at which a put takes effect is the rename of its complete file, and a delete the
 * removal of the file's name; both happen under the key's lock, after the condition was checked under it.
 */
final class ObjectWriter {
    private static final int ATTEMPTS = 100;

    /** What must be true of the current version, which is null when there is none. */
    @FunctionalInterface
    interface Condition {
        boolean holds(@Nullable FileVersion current) throws IOException;
    }

    private final Clock clock;
    private final Path temporary;
    private final Path lockFiles;
    private final ObjectFiles objects;
    private final ContentHashes hashes;
    private final Folders folders;
    private final TempFiles temps;
    private final StripeLocks locks;

    ObjectWriter(
            Path root,
            ObjectFiles objects,
            ContentHashes hashes,
            Clock clock,
            RandomGenerator random,
            Duration lockTimeout,
            FileModes modes) {
        Path internal = root.resolve(".onto");
        this.clock = clock;
        this.temporary = internal.resolve("tmp");
        this.lockFiles = internal.resolve("locks");
        this.objects = objects;
        this.hashes = hashes;
        this.folders = new Folders(root, modes);
        this.temps = new TempFiles(temporary, clock, random, modes);
        this.locks = new StripeLocks(lockFiles, clock, lockTimeout, modes);
    }

    void sweep() {
        temps.sweep();
    }

    PutOutcome put(String key, Payload payload, Condition condition) {
        try {
            // Spares writing the content when the condition does not hold already; it is checked again under the lock.
            if (!condition.holds(objects.find(key))) {
                return new PutOutcome.Refused();
            }
            folders.make(temporary);
            folders.make(lockFiles);
            try (TempFile file = temps.create()) {
                file.fill(payload);
                return publish(key, file, condition);
            }
        } catch (NotDirectoryException e) {
            throw Failures.inTheWay(key, Path.of(e.getFile()), "not a folder but an object or a link");
        } catch (IOException e) {
            throw Failures.unavailable("cannot store '" + key + "'", e);
        }
    }

    private PutOutcome publish(String key, TempFile file, Condition condition) throws IOException {
        Path target = objects.path(key);
        Path folder = Objects.requireNonNull(target.getParent());
        for (int attempt = 1; ; attempt++) {
            folders.make(folder);
            ETag etag = null;
            try (StripeLocks.Held lock = locks.lock(StripeLocks.stripe(key))) {
                FileVersion current = objects.find(key);
                if (!condition.holds(current)) {
                    return new PutOutcome.Refused();
                }
                if (!isFolder(target)) {
                    FileVersion version = file.stamp(nowMicros(), lastGeneration(lock, current));
                    lock.record(version.generation());
                    move(file, version, target);
                    hashes.remember(target, version, file.hash());
                    etag = version.etag(file.hash());
                }
            } catch (Uncertain e) {
                return new PutOutcome.Unknown(Failures.unknown("may not have stored '" + key + "'", e));
            } catch (FolderChanged e) {
                if (attempt == ATTEMPTS) {
                    throw e.failure();
                }
                continue;
            }
            if (etag != null) {
                return flushed(key, folder, etag);
            }
            if (attempt == ATTEMPTS || !folders.removeTree(target)) {
                throw Failures.inTheWay(key, target, "the folder of other objects");
            }
        }
    }

    private PutOutcome flushed(String key, Path folder, ETag etag) {
        try {
            folders.forceNearest(folder);
            return new PutOutcome.Written(etag);
        } catch (IOException e) {
            return new PutOutcome.Unknown(
                    Failures.unknown("stored '" + key + "' but cannot make sure that it stays", e));
        }
    }

    private long nowMicros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, clock.now());
    }

    private static long lastGeneration(StripeLocks.Held lock, @Nullable FileVersion current) throws IOException {
        long recorded = lock.lastGeneration();
        return current == null ? recorded : Math.max(recorded, current.generation());
    }

    private static boolean isFolder(Path path) throws IOException {
        BasicFileAttributes attributes = ObjectFiles.attributesOfEntry(path);
        return attributes != null && attributes.isDirectory();
    }

    /** Gives the file its name. */
    private static void move(TempFile file, FileVersion version, Path target) throws IOException {
        try {
            Files.move(file.path(), target, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            if (settle(e, () -> ObjectFiles.attributesOfEntry(file.path()) != null)) {
                if (e instanceof AccessDeniedException || e instanceof AtomicMoveNotSupportedException) {
                    throw e;
                }
                throw new FolderChanged(e);
            }
            if (!settle(e, () -> isAt(target, version))) {
                throw new Uncertain(e);
            }
        }
    }

    DeleteOutcome delete(String key, Condition condition) {
        try {
            if (!unlink(key, condition)) {
                return new DeleteOutcome.Refused();
            }
        } catch (Uncertain e) {
            return new DeleteOutcome.Unknown(Failures.unknown("may not have removed '" + key + "'", e));
        } catch (IOException e) {
            throw Failures.unavailable("cannot remove '" + key + "'", e);
        }
        Path folder = Objects.requireNonNull(objects.path(key).getParent());
        try {
            folders.forceNearest(folder);
        } catch (IOException e) {
            return new DeleteOutcome.Unknown(
                    Failures.unknown("removed '" + key + "' but cannot make sure that it stays away", e));
        }
        folders.removeIfEmpty(folder);
        return new DeleteOutcome.Deleted();
    }

    private boolean unlink(String key, Condition condition) throws IOException {
        // Spares making the folder of the locks in a store that was never written to.
        if (!condition.holds(objects.find(key))) {
            return false;
        }
        folders.make(lockFiles);
        try (StripeLocks.Held lock = locks.lock(StripeLocks.stripe(key))) {
            FileVersion current = objects.find(key);
            if (current == null || !condition.holds(current)) {
                return false;
            }
            lock.recordOnDisk(lastGeneration(lock, current));
            unlink(objects.path(key), current);
            return true;
        }
    }

    /** Removes the file; once it is gone, only the lock's record keeps its generation from being given out again. */
    private void unlink(Path target, FileVersion current) throws IOException {
        hashes.forget(target);
        try {
            Files.delete(target);
        } catch (IOException e) {
            if (settle(e, () -> isAt(target, current))) {
                throw e;
            }
        }
    }

    /** Removes many, locking every stripe and flushing every folder only once. */
    Map<String, String> deleteAll(Collection<String> keys) {
        Map<String, String> failed = new LinkedHashMap<>();
        Map<Integer, Set<String>> stripes = new TreeMap<>();
        for (String key : keys) {
            if (find(key, failed) != null) {
                stripes.computeIfAbsent(StripeLocks.stripe(key), unused -> new LinkedHashSet<>())
                        .add(key);
            }
        }
        Map<Path, List<String>> removed = new LinkedHashMap<>();
        stripes.forEach((stripe, members) -> {
            try {
                folders.make(lockFiles);
                for (String key : unlinkAll(stripe, members, failed)) {
                    Path folder = Objects.requireNonNull(objects.path(key).getParent());
                    removed.computeIfAbsent(folder, unused -> new ArrayList<>()).add(key);
                }
            } catch (IOException e) {
                members.forEach(key -> failed.put(key, Failures.reason(e)));
            }
        });
        removed.forEach((folder, gone) -> {
            try {
                folders.forceNearest(folder);
                folders.removeIfEmpty(folder);
            } catch (IOException e) {
                gone.forEach(key -> failed.put(key, Failures.reason(e)));
            }
        });
        return failed;
    }

    private List<String> unlinkAll(int stripe, Set<String> keys, Map<String, String> failed) throws IOException {
        List<String> gone = new ArrayList<>();
        try (StripeLocks.Held lock = locks.lock(stripe)) {
            Map<String, FileVersion> present = new LinkedHashMap<>();
            long generation = lock.lastGeneration();
            for (String key : keys) {
                FileVersion version = find(key, failed);
                if (version != null) {
                    present.put(key, version);
                    generation = Math.max(generation, version.generation());
                }
            }
            lock.recordOnDisk(generation);
            present.forEach((key, version) -> {
                try {
                    unlink(objects.path(key), version);
                    gone.add(key);
                } catch (IOException e) {
                    failed.put(key, Failures.reason(e));
                }
            });
        }
        return gone;
    }

    private @Nullable FileVersion find(String key, Map<String, String> failed) {
        try {
            return objects.find(key);
        } catch (OntologiaException e) {
            failed.put(key, e.getMessage());
        } catch (IOException e) {
            failed.put(key, Failures.reason(e));
        }
        return null;
    }

    private static boolean isAt(Path path, FileVersion version) throws IOException {
        BasicFileAttributes attributes = ObjectFiles.attributesOfEntry(path);
        return attributes != null && FileVersion.of(attributes).equals(version);
    }

    /** Looks at what a failed change left, and gives up for good when even that fails. */
    private static boolean settle(IOException failure, Question question) throws Uncertain {
        try {
            return question.answer();
        } catch (IOException e) {
            failure.addSuppressed(e);
            throw new Uncertain(failure);
        }
    }

    @FunctionalInterface
    private interface Question {
        boolean answer() throws IOException;
    }

    /** A change failed, and nobody can say whether it took effect. */
    private static final class Uncertain extends IOException {
        Uncertain(IOException failure) {
            super(Failures.reason(failure), failure);
        }
    }

    /**
     * A file could not get its name, most likely because its folder was removed as empty, or made where the file is to be,
     * since it was looked at.
     */
    private static final class FolderChanged extends IOException {
        private final IOException failure;

        FolderChanged(IOException failure) {
            super(failure);
            this.failure = failure;
        }

        IOException failure() {
            return failure;
        }
    }
}
