package io.ontologia.testkit;

import static io.ontologia.testkit.CrashingFileSystem.Effect.CHANGES;
import static io.ontologia.testkit.CrashingFileSystem.Effect.LOOKS;

import io.ontologia.testkit.CrashingFileSystem.Effect;
import io.ontologia.testkit.CrashingFileSystem.Hook;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;

/** An open file with a hook around every operation on it. */
final class CrashingChannel extends FileChannel {
    private final FileChannel real;
    private final Hook hook;
    private final Effect closing;
    private final String name;
    private boolean written;

    CrashingChannel(FileChannel real, Hook hook, Effect closing, String name) {
        this.real = real;
        this.hook = hook;
        this.closing = closing;
        this.name = name;
    }

    private <T extends @Nullable Object> T looking(String verb, CrashingProvider.Work<T> work) throws IOException {
        return CrashingProvider.around(hook, LOOKS, verb + " " + name, work);
    }

    private <T extends @Nullable Object> T changing(String verb, CrashingProvider.Work<T> work) throws IOException {
        return CrashingProvider.around(hook, CHANGES, verb + " " + name, work);
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        return looking("read", () -> real.read(target));
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        return looking("read", () -> real.read(targets, offset, length));
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        return looking("read", () -> real.read(target, position));
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        return changing("write", () -> firstHalfOnce(source, real::write));
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        return changing("write", () -> real.write(sources, offset, length));
    }

    @Override
    public int write(ByteBuffer source, long position) throws IOException {
        return changing("write", () -> firstHalfOnce(source, part -> real.write(part, position)));
    }

    @FunctionalInterface
    private interface Write {
        int write(ByteBuffer part) throws IOException;
    }

    private int firstHalfOnce(ByteBuffer source, Write write) throws IOException {
        int limit = source.limit();
        if (!written && source.remaining() > 1) {
            source.limit(source.position() + source.remaining() / 2);
        }
        written = true;
        try {
            return write.write(source);
        } finally {
            source.limit(limit);
        }
    }

    @Override
    public long position() throws IOException {
        return real.position();
    }

    @Override
    public FileChannel position(long position) throws IOException {
        real.position(position);
        return this;
    }

    @Override
    public long size() throws IOException {
        return looking("size of", real::size);
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        changing("truncate", () -> real.truncate(size));
        return this;
    }

    @Override
    public void force(boolean metaData) throws IOException {
        CrashingProvider.around(hook, CHANGES, "force " + name, () -> real.force(metaData));
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
        return looking("read", () -> real.transferTo(position, count, target));
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) throws IOException {
        return changing("write", () -> real.transferFrom(source, position, count));
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
        return looking("map", () -> real.map(mode, position, size));
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) throws IOException {
        return changing("lock", () -> real.lock(position, size, shared));
    }

    @Override
    public @Nullable FileLock tryLock(long position, long size, boolean shared) throws IOException {
        return this.<@Nullable FileLock>changing("try to lock", () -> real.tryLock(position, size, shared));
    }

    /** Closes the file also when the hook makes that fail, as the system does. */
    @Override
    protected void implCloseChannel() throws IOException {
        try {
            hook.before(closing, "close " + name);
        } finally {
            real.close();
        }
        hook.after(closing, "close " + name);
    }
}
