package io.ontologia.objectstore;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The bytes to store: held in memory or in a file, readable as often as needed, unchanged meanwhile. */
public sealed interface Payload {

    /** How many bytes there are. */
    long length();

    /** The bytes from the start; the caller closes the stream. */
    InputStream open();

    /** Bytes in memory. The array is not copied: do not change it while a store uses it. */
    static Payload of(byte[] bytes) {
        return new InMemory(bytes);
    }

    /** The UTF-8 bytes of a text. */
    static Payload of(String text) {
        return new InMemory(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The content of a file, which must not change while a store uses it. */
    static Payload of(Path file) {
        return new InFile(file);
    }

    /** Bytes in memory. */
    final class InMemory implements Payload {
        private final byte[] bytes;

        private InMemory(byte[] bytes) {
            this.bytes = bytes;
        }

        /** The array itself, not a copy. */
        public byte[] bytes() {
            return bytes;
        }

        @Override
        public long length() {
            return bytes.length;
        }

        @Override
        public InputStream open() {
            return new ByteArrayInputStream(bytes);
        }
    }

    /** The content of a file. */
    final class InFile implements Payload {
        private final Path file;

        private InFile(Path file) {
            this.file = file;
        }

        /** The file. */
        public Path file() {
            return file;
        }

        @Override
        public long length() {
            try {
                return Files.size(file);
            } catch (IOException e) {
                throw unreadable(e);
            }
        }

        @Override
        public InputStream open() {
            try {
                return Files.newInputStream(file);
            } catch (IOException e) {
                throw unreadable(e);
            }
        }

        private OntologiaException unreadable(IOException e) {
            return new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "cannot read the file to store, " + file,
                    e.getClass().getSimpleName(),
                    "check that it exists and is readable",
                    e);
        }
    }
}
