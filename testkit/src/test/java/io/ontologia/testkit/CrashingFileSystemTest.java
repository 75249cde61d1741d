package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.testkit.CrashingFileSystem.Effect;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CrashingFileSystemTest {
    @TempDir
    private Path folder;

    @Test
    void every_change_goes_through_the_hook_in_order() throws IOException {
        List<String> seen = new ArrayList<>();
        Path crashing = wrapped((effect, what) -> {
            if (effect == Effect.CHANGES) {
                seen.add(what.replace(folder + "/", ""));
            }
        });

        Files.createDirectory(crashing.resolve("sub"));
        Files.writeString(crashing.resolve("sub/file"), "content");
        Files.move(crashing.resolve("sub/file"), crashing.resolve("moved"));
        Files.delete(crashing.resolve("moved"));

        assertThat(seen)
                .containsSubsequence(
                        "make folder sub", "open sub/file", "write sub/file", "move to moved", "delete moved");
    }

    @Test
    void the_first_write_to_a_file_is_only_half_done() throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap("12345678".getBytes(StandardCharsets.US_ASCII));

        try (FileChannel channel = FileChannel.open(
                wrapped((effect, what) -> {}).resolve("file"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            assertThat(channel.write(bytes)).isEqualTo(4);
            assertThat(folder.resolve("file")).hasContent("1234");
            assertThat(channel.write(bytes)).isEqualTo(4);
        }

        assertThat(folder.resolve("file")).hasContent("12345678");
    }

    @Test
    void an_operation_that_the_hook_refuses_does_not_happen() {
        Path crashing = wrapped((effect, what) -> {
            throw new IOException("No space left on device");
        });

        assertThatThrownBy(() -> Files.createDirectory(crashing.resolve("sub"))).hasMessage("No space left on device");
        assertThat(folder.resolve("sub")).doesNotExist();
    }

    private Path wrapped(CrashingFileSystem.Hook hook) {
        return new CrashingFileSystem(FileSystems.getDefault(), hook).path(folder);
    }
}
