package io.ontologia.objectstore.internal.cache;

import io.ontologia.kernel.FileModes;
import io.ontologia.kernel.RandomIds;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * Where one open cache keeps what is its own: downloads in progress, and links to the objects that it has handed out. It is
 * alive for as long as the lock on its file {@code <id>.lock} is held, which the system ends with the process. A folder
 * whose owner is dead is removed by the next process that opens the cache.
 */
final class ProcessFolder {
    private static final String LOCK = ".lock";
    private static final int ATTEMPTS = 100;

    /** Opening and closing a lock file of our own JVM would drop the lock on it. */
    private static final Set<String> OF_THIS_JVM = ConcurrentHashMap.newKeySet();

    private final String id;
    private final Path folder;
    private final Path lockFile;
    private final FileChannel channel;
    private final AtomicLong files = new AtomicLong();

    private ProcessFolder(String id, Path folder, Path lockFile, FileChannel channel) {
        this.id = id;
        this.folder = folder;
        this.lockFile = lockFile;
        this.channel = channel;
    }

    /** Makes a new one. Needs no lock: one that another process took for dead before it was alive is made again. */
    static ProcessFolder create(Path processes, RandomGenerator random) throws IOException {
        for (int attempt = 1; ; attempt++) {
            Optional<ProcessFolder> made = tryCreate(processes, RandomIds.hex(random, 16));
            if (made.isPresent()) {
                return made.get();
            }
            if (attempt == ATTEMPTS) {
                throw new IOException("others remove what is created in " + processes);
            }
        }
    }

    private static Optional<ProcessFolder> tryCreate(Path processes, String id) throws IOException {
        Path lockFile = processes.resolve(id + LOCK);
        OF_THIS_JVM.add(id);
        FileChannel channel = null;
        boolean alive = false;
        try {
            channel = FileModes.PRIVATE.open(lockFile, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            // Another process may look at the file before it is locked here, and then holds its lock or has removed it.
            if (channel.tryLock() == null || !Files.exists(lockFile)) {
                return Optional.empty();
            }
            Path folder = FileModes.PRIVATE.createDirectory(processes.resolve(id));
            alive = true;
            return Optional.of(new ProcessFolder(id, folder, lockFile, channel));
        } finally {
            if (!alive) {
                if (channel != null) {
                    channel.close();
                }
                OF_THIS_JVM.remove(id);
            }
        }
    }

    /** Removes what dead processes left behind. To be called under the {@link FolderLock}. */
    static void removeDead(Path processes) throws IOException {
        for (String name : Folders.names(processes)) {
            String id = name.endsWith(LOCK) ? name.substring(0, name.length() - LOCK.length()) : "";
            if (!id.isEmpty() && !OF_THIS_JVM.contains(id)) {
                removeIfDead(processes.resolve(name), processes.resolve(id));
            }
        }
    }

    private static void removeIfDead(Path lockFile, Path folder) throws IOException {
        try (FileChannel channel = FileModes.openExisting(lockFile, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            if (lock != null) {
                // The lock file last: without it nobody would look for the folder again.
                Folders.remove(folder);
                Files.deleteIfExists(lockFile);
            }
        } catch (NoSuchFileException e) {
            // Its owner closed the cache just now.
            return;
        }
    }

    /** A path at which there is no file yet. */
    Path newFile() {
        return folder.resolve(Long.toString(files.incrementAndGet()));
    }

    /** Removes the folder with everything in it. */
    void remove() throws IOException {
        try {
            Folders.remove(folder);
            Files.deleteIfExists(lockFile);
        } finally {
            channel.close();
            OF_THIS_JVM.remove(id);
        }
    }
}
