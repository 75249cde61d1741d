package io.ontologia.objectstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.internal.directory.DirectoryObjectStore;
import io.ontologia.testkit.SettableClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the directory of a store looks like, and what else may be found in it. */
class DirectoryObjectStoreFilesTest {
    private static final Payload X = Payload.of("x");

    @TempDir
    private Path folder;

    private Path root;
    private ObjectStore store;

    @BeforeEach
    void openStore() {
        root = folder.resolve("not yet/there");
        store = DirectoryChange.open(root);
    }

    @Test
    void reading_a_store_that_is_not_there_finds_nothing_and_makes_nothing() {
        assertThat(store.get("k")).isEmpty();
        assertThat(store.list(ListRequest.of("")).objects()).isEmpty();
        assertThat(store.list(ListRequest.of("a/b")).objects()).isEmpty();
        assertThat(store.download("k", folder.resolve("download"))).isEmpty();
        store.delete("k");
        assertThat(store.deleteAll(List.of("k"))).isEmpty();
        assertThat(store.putIfMatch("k", X, new ETag("none"))).isInstanceOf(PutOutcome.Refused.class);

        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void an_object_is_a_plain_file_of_its_bytes_and_nothing_else_is_beside_it() throws IOException {
        store.put("a/b/c", Payload.of("content"));

        assertThat(root.resolve("a/b/c")).hasContent("content");
        assertThat(root.resolve(".onto/tmp")).isEmptyDirectory();
        try (var entries = Files.list(root)) {
            assertThat(entries).containsExactlyInAnyOrder(root.resolve("a"), root.resolve(".onto"));
        }
    }

    @Test
    void an_object_can_be_read_in_place() {
        store.put("a/b", X);

        Optional<Path> there = ((LocalFiles) store).localPath("a/b");
        Optional<Path> missing = ((LocalFiles) store).localPath("a");

        assertThat(there).hasValueSatisfying(path -> assertThat(path).hasContent("x"));
        assertThat(missing).isEmpty();
    }

    @Test
    void deleting_the_last_object_of_a_folder_removes_the_folder_but_not_the_root() {
        store.put("a/b/c", X);
        store.put("a/d", X);
        store.put("e/f", X);

        store.delete("a/b/c");
        store.deleteAll(List.of("e/f"));

        assertThat(root.resolve("a/b")).doesNotExist();
        assertThat(root.resolve("a")).exists();
        assertThat(root.resolve("e")).doesNotExist();
        store.delete("a/d");
        assertThat(root).exists();
    }

    @Test
    void a_key_that_is_a_folder_or_has_an_object_for_a_folder_is_refused_and_nothing_is_lost() {
        store.put("a/b", X);

        assertInvalid(() -> store.put("a", X));
        assertInvalid(() -> store.putIfAbsent("a", X));
        assertInvalid(() -> store.put("a/b/c", X));
        assertInvalid(() -> store.putIfAbsent("a/b/c/d", X));

        assertThat(store.get("a")).isEmpty();
        assertThat(store.get("a/b/c")).isEmpty();
        assertThat(store.get("a/b").orElseThrow().text()).isEqualTo("x");
        assertThat(root.resolve(".onto/tmp")).isEmptyDirectory();
    }

    @Test
    void folders_that_a_dead_writer_left_empty_are_not_in_the_way() throws IOException {
        Files.createDirectories(root.resolve("a/b/c"));
        Files.createDirectories(root.resolve("a/d"));

        store.put("a", X);

        assertThat(store.get("a").orElseThrow().text()).isEqualTo("x");
        assertThat(store.list(ListRequest.of("")).objects())
                .extracting(ObjectSummary::key)
                .containsExactly("a");
    }

    @Test
    void no_key_leads_out_of_the_store_through_a_link() throws IOException {
        Path outside = Files.createDirectory(folder.resolve("outside"));
        Files.writeString(outside.resolve("secret"), "secret");
        Files.createDirectories(root);
        Files.createSymbolicLink(root.resolve("link"), outside);
        Files.createSymbolicLink(root.resolve("alias"), outside.resolve("secret"));

        assertInvalid(() -> store.get("link/secret"));
        assertInvalid(() -> store.get("alias"));
        assertInvalid(() -> store.put("link/new", X));
        assertInvalid(() -> store.put("alias", X));
        assertInvalid(() -> store.delete("link/secret"));
        assertThat(store.deleteAll(List.of("link/secret"))).containsOnlyKeys("link/secret");
        assertThat(store.list(ListRequest.of("")).objects()).isEmpty();
        assertThat(store.list(ListRequest.of("link/")).objects()).isEmpty();
        assertThat(outside.resolve("secret")).hasContent("secret");
        assertThat(outside.resolve("new")).doesNotExist();
    }

    @Test
    void the_root_itself_may_be_a_link() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link"), Files.createDirectory(folder.resolve("real")));

        DirectoryChange.open(link).put("k", X);

        assertThat(folder.resolve("real/k")).hasContent("x");
        assertThat(DirectoryChange.open(link).get("k")).isPresent();
    }

    @Test
    void files_that_no_key_can_name_are_left_out_of_listings() throws IOException {
        store.put("kept", X);
        Files.writeString(root.resolve(".hidden"), "x");
        Files.writeString(root.resolve("back\\slash"), "x");
        Files.createDirectories(root.resolve(".folder"));
        Files.writeString(root.resolve(".folder/inside"), "x");

        assertThat(store.list(ListRequest.of("")).objects())
                .extracting(ObjectSummary::key)
                .containsExactly("kept");
    }

    @Test
    void opening_a_file_or_something_below_one_is_the_callers_mistake() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "x");

        assertInvalid(() -> ObjectStores.open("file://" + file));
        assertInvalid(() -> ObjectStores.open("file://" + file + "/below"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"file:", "file:folder", "file://host/folder", "file:///with space", "file:///a?b", "file:///%zz"
            })
    void a_uri_that_names_no_folder_is_the_callers_mistake(String uri) {
        assertInvalid(() -> ObjectStores.open(uri));
    }

    @Test
    void the_location_of_a_store_opens_the_same_store() {
        Path strange = folder.resolve("with space, %25 and ümläut");
        ObjectStore written = DirectoryChange.open(strange);
        written.put("k", X);

        ObjectStore opened = ObjectStores.open(written.location());

        assertThat(opened.get("k")).isPresent();
        assertThat(opened.location()).isEqualTo(written.location());
        assertThat(ObjectStores.open("file://" + folder.resolve("ümläut")).location())
                .endsWith("/%C3%BCml%C3%A4ut");
    }

    @Test
    void only_temporary_files_older_than_a_day_are_swept_up() throws IOException {
        store.put("k", X);
        Path left = Files.writeString(root.resolve(".onto/tmp/left"), "half an obj");
        Clock soon = new SettableClock(Clock.system().now().plus(Duration.ofHours(23)));
        Clock later = new SettableClock(Clock.system().now().plus(Duration.ofHours(25)));

        new DirectoryObjectStore(root, soon, new SplittableRandom()).close();
        boolean keptSoon = Files.exists(left);
        new DirectoryObjectStore(root, later, new SplittableRandom()).close();

        assertThat(keptSoon).isTrue();
        assertThat(left).doesNotExist();
        assertThat(store.get("k")).isPresent();
    }

    @Test
    void an_interrupted_thread_writes_nothing_and_leaves_nothing_locked() {
        store.put("k", X);

        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> store.put("k", Payload.of("y")))
                    .isInstanceOfSatisfying(
                            OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.UNAVAILABLE))
                    .hasMessageContaining("interrupted");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }

        assertThat(store.get("k").orElseThrow().text()).isEqualTo("x");
        assertThat(root.resolve(".onto/tmp")).isEmptyDirectory();
        store.put("k", Payload.of("z"));
        assertThat(store.get("k").orElseThrow().text()).isEqualTo("z");
    }

    @Test
    void a_store_that_was_removed_and_begun_anew_is_locked_anew() throws IOException {
        store.put("k", X);
        Files.move(root, folder.resolve("moved away"));

        store.put("k", Payload.of("anew"));

        assertThat(store.get("k").orElseThrow().text()).isEqualTo("anew");
        assertThat(folder.resolve("moved away/k")).hasContent("x");
    }

    private static void assertInvalid(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_INPUT));
    }
}
