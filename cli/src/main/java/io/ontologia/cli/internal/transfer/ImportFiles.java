package io.ontologia.cli.internal.transfer;

import io.ontologia.cli.internal.LineFile;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The files that an import reads: one file, or every {@code .jsonl} of a folder in the order of their names.
 *
 * @param files at least one
 */
record ImportFiles(List<Path> files) {

    /** Takes a line, when it is not blank. */
    interface LineReader {
        void read(Path file, long number, byte[] line);
    }

    /**
     * The files of a path.
     *
     * @throws OntologiaException of kind {@link ErrorKind#NOT_FOUND} when there are none
     */
    static ImportFiles of(Path input) {
        if (!Files.exists(input)) {
            throw missing(input, "there is no such file or folder", "name a .jsonl file, or a folder of them");
        }
        if (!Files.isDirectory(input)) {
            return new ImportFiles(List.of(input));
        }
        try (Stream<Path> all = Files.list(input)) {
            List<Path> files = all.filter(file -> file.getFileName().toString().endsWith(".jsonl"))
                    .sorted()
                    .toList();
            if (files.isEmpty()) {
                throw missing(
                        input, "no file in that folder ends with .jsonl", "name a folder that 'onto export' wrote");
            }
            return new ImportFiles(files);
        } catch (IOException e) {
            throw unreadable(input, e);
        }
    }

    /** How many bytes there are to read. */
    long bytes() {
        long bytes = 0;
        for (Path file : files) {
            try {
                bytes += Files.size(file);
            } catch (IOException e) {
                throw unreadable(file, e);
            }
        }
        return bytes;
    }

    /** Reads every line that is not blank. */
    void forEachLine(LineReader reader) {
        for (Path file : files) {
            try {
                LineFile.forEachLine(file, (number, line) -> reader.read(file, number, line));
            } catch (IOException e) {
                throw unreadable(file, e);
            }
        }
    }

    private static OntologiaException missing(Path input, String cause, String remedy) {
        return new OntologiaException(ErrorKind.NOT_FOUND, "cannot import " + input, cause, remedy);
    }

    private static OntologiaException unreadable(Path file, IOException e) {
        return new OntologiaException(
                ErrorKind.UNAVAILABLE,
                "cannot read " + file,
                Files.isDirectory(file) ? "it is a folder" : "it cannot be opened for reading",
                "check its permissions",
                e);
    }
}
