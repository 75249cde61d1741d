package io.ontologia.cli.internal.ns;

import io.ontologia.cli.internal.TextFile;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.FileModes;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.RandomIds;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;

/** A file that holds one token and that only its owner can read. */
final class TokenFile {
    private static final int TOKEN_DIGITS = 48;
    private static final int MAX_BYTES = 4096;

    private TokenFile() {}

    /**
     * The token in a file. A file that is missing is created with a random token.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when users other than the owner can read it
     */
    static String readOrCreate(String name) {
        Path file = TextFile.path("--token-file", name);
        try {
            create(file);
            if (FileModes.isReadableByOthers(file)) {
                throw new OntologiaException(
                        ErrorKind.INVALID_INPUT,
                        "cannot use the token in " + file,
                        "other users can read the file",
                        "run chmod 600 on it, and replace the token");
            }
            if (Files.size(file) > MAX_BYTES) {
                throw new OntologiaException(
                        ErrorKind.INVALID_INPUT,
                        "cannot use the token in " + file,
                        "the file is too large",
                        "correct it");
            }
            return Files.readString(file, StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new OntologiaException(
                    ErrorKind.UNAVAILABLE,
                    "cannot read the token in " + file,
                    e.toString(),
                    "name a file that you can read, or a new one in a folder that you can write",
                    e);
        }
    }

    private static void create(Path file) throws IOException {
        if (Files.exists(file)) {
            return;
        }
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            FileModes.PRIVATE.createDirectories(folder);
        }
        byte[] token = (RandomIds.hex(new SecureRandom(), TOKEN_DIGITS) + "\n").getBytes(StandardCharsets.UTF_8);
        try {
            FileModes.PRIVATE.createFile(file, new ByteArrayInputStream(token));
        } catch (FileAlreadyExistsException e) {
            // Another server created it meanwhile; both use the same token.
            return;
        }
    }
}
