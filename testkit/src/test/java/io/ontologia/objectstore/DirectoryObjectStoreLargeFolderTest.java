package io.ontologia.objectstore;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A folder so large that the store remembers where a listing of it stopped. */
class DirectoryObjectStoreLargeFolderTest {
    private static final Payload X = Payload.of("x");

    @TempDir(factory = MemoryDisk.class)
    private Path root;

    private ObjectStore store;

    @BeforeEach
    void openStore() {
        store = DirectoryChange.open(root);
    }

    @Test
    void pages_of_a_large_folder_hold_every_key_once_while_others_come_and_go() throws IOException {
        Files.createDirectories(root.resolve("large/sub"));
        TreeSet<String> staying = new TreeSet<>();
        for (int i = 0; i < 15_000; i++) {
            String name = i % 50 == 0 ? "sub/" + i : "n" + i;
            Files.createFile(root.resolve("large").resolve(name));
            staying.add("large/" + name);
        }
        List<String> listed = new ArrayList<>();
        ListRequest request = ListRequest.of("large/");

        ListPage page = store.list(request);
        page.objects().forEach(object -> listed.add(object.key()));
        for (int i = 0; page.next().isPresent(); i++) {
            store.put("large/m" + i, X);
            store.delete("large/m" + (i - 1));
            page = store.list(request.continueAt(page.next().get()));
            page.objects().forEach(object -> listed.add(object.key()));
        }

        assertThat(listed).isSorted().doesNotHaveDuplicates();
        assertThat(listed.stream().filter(key -> !key.startsWith("large/m")).toList())
                .isEqualTo(List.copyOf(staying));
    }

    @Test
    void a_page_of_a_large_folder_can_be_asked_for_again() throws IOException {
        for (int i = 0; i < 12_000; i++) {
            Files.createFile(root.resolve("n" + i));
        }
        ListRequest second = ListRequest.of("")
                .continueAt(store.list(ListRequest.of("")).next().orElseThrow());

        ListPage once = store.list(second);
        ListPage again = store.list(second);

        assertThat(again).isEqualTo(once);
    }
}
