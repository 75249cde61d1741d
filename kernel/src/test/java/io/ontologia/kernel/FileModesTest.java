package io.ontologia.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileModesTest {
    @TempDir
    private Path folder;

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void private_files_and_folders_are_for_their_owner() throws IOException {
        Path inner = FileModes.PRIVATE.createDirectories(folder.resolve("a/b"));
        FileModes.PRIVATE.writeString(inner.resolve("text"), "x");
        FileModes.PRIVATE.createFile(inner.resolve("new"), new ByteArrayInputStream(new byte[3]));
        try (FileChannel channel =
                FileModes.PRIVATE.open(inner.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            assertThat(channel.size()).isZero();
        }

        assertThat(mode(folder.resolve("a"))).isEqualTo("rwx------");
        assertThat(mode(inner)).isEqualTo("rwx------");
        for (String file : new String[] {"text", "new", "lock"}) {
            assertThat(mode(inner.resolve(file))).as(file).isEqualTo("rw-------");
        }
        assertThat(mode(FileModes.createTempFile(folder, "t", ""))).isEqualTo("rw-------");
        assertThat(mode(FileModes.createTempDirectory(folder, "t"))).isEqualTo("rwx------");
    }

    @Test
    void other_files_are_as_those_of_every_program() throws IOException {
        Path ours = FileModes.UMASK.createDirectory(folder.resolve("ours"));
        FileModes.UMASK.writeString(folder.resolve("ours.txt"), "x");

        assertThat(mode(ours)).isEqualTo(mode(Files.createDirectory(folder.resolve("theirs"))));
        assertThat(mode(folder.resolve("ours.txt"))).isEqualTo(mode(Files.createFile(folder.resolve("theirs.txt"))));
    }

    @Test
    void a_folder_of_an_earlier_version_loses_the_rights_of_others() throws IOException {
        Path old = Files.createDirectory(folder.resolve("old"));
        Files.setPosixFilePermissions(old, PosixFilePermissions.fromString("rwxr-xr-x"));

        FileModes.UMASK.ensureOwnFolder(old);
        assertThat(mode(old)).isEqualTo("rwxr-xr-x");
        FileModes.PRIVATE.ensureOwnFolder(old);

        assertThat(mode(old)).isEqualTo("rwx------");
    }

    @Test
    void what_exists_is_neither_replaced_nor_created_by_accident() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "old");

        assertThatThrownBy(() -> FileModes.PRIVATE.createFile(file, InputStream.nullInputStream()))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> FileModes.openExisting(folder.resolve("x"), StandardOpenOption.CREATE))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(file).hasContent("old");
    }

    @Test
    void it_is_known_whether_others_can_read_a_file() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "x");

        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThat(FileModes.isReadableByOthers(file)).isTrue();
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        assertThat(FileModes.isReadableByOthers(file)).isFalse();
    }

    /** The file system of a zip file has no POSIX permissions unless they are asked for, as those of Windows. */
    @Test
    void file_systems_without_permissions_are_used_as_they_are() throws IOException {
        try (FileSystem zip = FileSystems.newFileSystem(folder.resolve("x.zip"), Map.of("create", "true"))) {
            Path inner = FileModes.PRIVATE.ensureOwnFolder(zip.getPath("/a/b"));
            FileModes.PRIVATE.writeString(inner.resolve("text"), "x");

            assertThat(Files.readString(inner.resolve("text"))).isEqualTo("x");
            assertThat(FileModes.isReadableByOthers(inner.resolve("text"))).isFalse();
        }
    }
}
