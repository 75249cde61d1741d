package io.ontologia.cli.internal;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files that are read line by line. */
public final class LineFile {
    /** In bytes. A file may have no line breaks, or no end. */
    public static final int LONGEST_LINE = 32 << 20;

    private LineFile() {}

    /** Takes a line. */
    public interface LineReader {
        /**
         * Takes the next line.
         *
         * @param number counted from 1
         * @param line without its line break
         */
        void read(long number, byte[] line);
    }

    /**
     * Reads every line that is not blank.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when a line is longer than {@link #LONGEST_LINE}
     */
    public static void forEachLine(Path file, LineReader reader) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
            long number = 0;
            ByteArrayOutputStream line = new ByteArrayOutputStream(1024);
            for (int b = in.read(); b >= 0 || line.size() > 0; b = in.read()) {
                if (b >= 0 && b != '\n') {
                    if (line.size() == LONGEST_LINE) {
                        throw tooLong(file, number + 1);
                    }
                    line.write(b);
                    continue;
                }
                number++;
                byte[] bytes = line.toByteArray();
                if (!isBlank(bytes)) {
                    reader.read(number, bytes);
                }
                line.reset();
                if (b < 0) {
                    break;
                }
            }
        }
    }

    private static boolean isBlank(byte[] line) {
        for (byte b : line) {
            if (b != ' ' && b != '\t' && b != '\r') {
                return false;
            }
        }
        return true;
    }

    private static OntologiaException tooLong(Path file, long number) {
        return new OntologiaException(
                ErrorKind.INVALID_INPUT,
                "cannot read " + file,
                "line " + number + " has more than " + LONGEST_LINE + " bytes",
                "name a file with one JSON document on each line");
    }
}
