package io.ontologia.cli.internal.store;

import static io.ontologia.cli.OntoRun.onto;
import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.OntoProcess;
import io.ontologia.cli.OntoRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class StoreCheckDirectoryIT {
    @TempDir
    Path folder;

    @Test
    void a_good_folder_passes_and_holds_no_object_afterwards() throws IOException {
        OntoRun run = check(folder);

        assertThat(run).returns(0, OntoRun::exitCode).returns("", OntoRun::err);
        assertThat(run.out())
                .contains("location             " + location(folder) + "\n", "conditional delete   enforced\n");
        assertThat(objectsIn(folder)).isEmpty();
    }

    @Test
    void a_file_is_no_store() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "data");

        OntoRun run = check(file).failedWith(2);

        assertThat(run.err()).contains(file + " is not a folder");
        assertThat(file).hasContent("data");
    }

    @Test
    void a_folder_without_the_right_to_write_is_reported() throws IOException {
        Path readOnly = readOnlyFolder();

        OntoRun run = check(readOnly).failedWith(5);

        assertThat(run.err()).contains("cannot store ", "Check the folder's permissions");
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void a_disk_without_room_is_reported_and_nothing_is_half_written() throws Exception {
        OntoRun run = OntoProcess.in(Map.of())
                .after("ulimit -f 0")
                .run("store", "check", "--storage-uri", location(folder))
                .failedWith(5);

        assertThat(run.err()).contains("cannot store ", "free space");
        assertThat(objectsIn(folder)).isEmpty();
    }

    private OntoRun check(Path store) {
        return onto("store", "check", "--storage-uri", location(store));
    }

    private static String location(Path store) {
        return "file://" + store.toAbsolutePath();
    }

    /** Permissions do not stop root, but no user may create a folder in sysfs. */
    private Path readOnlyFolder() throws IOException {
        Path readOnly = Files.createDirectory(
                folder.resolve("read-only"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r-x------")));
        return Files.isWritable(readOnly) ? Path.of("/sys/onto") : readOnly;
    }

    private static List<Path> objectsIn(Path store) throws IOException {
        try (Stream<Path> files = Files.walk(store)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> !file.startsWith(store.resolve(".onto").resolve("locks")))
                    .toList();
        }
    }
}
