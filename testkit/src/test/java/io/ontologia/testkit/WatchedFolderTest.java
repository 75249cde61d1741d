package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchedFolderTest {
    @TempDir
    Path folder;

    private WatchedFolder watched;

    @BeforeEach
    void watch() throws IOException {
        Files.createDirectories(folder.resolve("store"));
        Files.writeString(folder.resolve("kept"), "one");
        watched = new WatchedFolder(folder, Set.of(folder.resolve("store")));
    }

    private void assertNoticed() {
        assertThatThrownBy(() -> watched.assertUntouched("the test")).isInstanceOf(AssertionError.class);
    }

    @Test
    void what_is_left_alone_is_no_change() throws IOException {
        Files.writeString(folder.resolve("store/new"), "in a folder whose files may change");

        watched.assertUntouched("the test");
    }

    @Test
    void a_new_file_is_noticed() throws IOException {
        Files.writeString(folder.resolve("evil.csv"), "1");

        assertNoticed();
    }

    @Test
    void a_new_folder_is_noticed() throws IOException {
        Files.createDirectories(folder.resolve("evil"));

        assertNoticed();
    }

    @Test
    void another_content_is_noticed() throws IOException {
        Files.writeString(folder.resolve("kept"), "two");

        assertNoticed();
    }

    @Test
    void a_file_that_is_gone_is_noticed() throws IOException {
        Files.delete(folder.resolve("kept"));

        assertNoticed();
    }
}
