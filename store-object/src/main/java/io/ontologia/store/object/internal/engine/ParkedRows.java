package io.ontologia.store.object.internal.engine;

import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.FileModes;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The rest of a stream's rows in a file, from which they are read later. The file is opened by the first read. */
final class ParkedRows implements AutoCloseable {
    private final Path file;
    private final RowColumns columns;
    private long left;
    private @Nullable DataInputStream input;

    private ParkedRows(Path file, RowColumns columns, long left) {
        this.file = file;
        this.columns = columns;
        this.left = left;
    }

    /**
     * Writes rows to a new file.
     *
     * @param rows gives one row after the other, then nothing
     */
    static ParkedRows write(Path folder, RowColumns columns, Supplier<Optional<StoredRow>> rows) {
        try {
            Path file = FileModes.createTempFile(FileModes.PRIVATE.createDirectories(folder), "rows", "");
            long count = 0;
            boolean written = false;
            try (DataOutputStream output =
                    new DataOutputStream(new BufferedOutputStream(FileModes.PRIVATE.newOutputStream(file)))) {
                for (Optional<StoredRow> row = rows.get(); row.isPresent(); row = rows.get()) {
                    write(row.get(), output);
                    count++;
                }
                written = true;
            } finally {
                if (!written) {
                    Files.deleteIfExists(file);
                }
            }
            return new ParkedRows(file, columns, count);
        } catch (IOException e) {
            throw CacheFolder.unusable(folder, e);
        }
    }

    private static void write(StoredRow row, DataOutputStream output) throws IOException {
        for (String part : RowColumns.values(row.identity())) {
            writeText(part, output);
        }
        writeText(row.fieldsJson(), output);
        output.writeLong(row.commitId());
        output.writeLong(row.schemaVersion());
    }

    private static void writeText(String text, DataOutputStream output) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        output.writeInt(bytes.length);
        output.write(bytes);
    }

    /** The next row; empty after the last. */
    Optional<StoredRow> next() {
        if (left == 0) {
            return Optional.empty();
        }
        try {
            if (input == null) {
                input = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)));
            }
            List<String> identity = new ArrayList<>();
            for (int part = 0; part < columns.identity().size(); part++) {
                identity.add(readText(input));
            }
            String fields = readText(input);
            left--;
            return Optional.of(new StoredRow(columns.identity(identity), fields, input.readLong(), input.readLong()));
        } catch (IOException e) {
            throw CacheFolder.unusable(file, e);
        }
    }

    private static String readText(DataInputStream input) throws IOException {
        return new String(input.readNBytes(input.readInt()), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        try {
            if (input != null) {
                input.close();
            }
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw CacheFolder.unusable(file, e);
        }
    }
}
