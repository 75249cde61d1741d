package io.ontologia.nameservice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.testkit.SettableClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that are not what they must be, in a folder of layout B. */
class DamagedNameserviceTest {
    private static final Alias BAD = Alias.parse("bad");
    private static final Alias GOOD = Alias.parse("good");

    @TempDir
    private Path folder;

    private Nameservice names;

    @BeforeEach
    void create() {
        names = Nameservices.open(
                "file://" + folder, NameserviceOptions.defaults().clock(new SettableClock()));
        names.create(NewRecord.ledger(BAD));
        names.create(NewRecord.ledger(GOOD));
    }

    @AfterEach
    void close() {
        names.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[]",
                "null",
                "{\"v\":2}",
                "{\"v\":2,\"pk\":\"bad:main\"}",
                "{\"v\":2,\"pk\":\"::\",\"type\":\"ledger\",\"created_at\":1,\"retracted\":false,\"status_v\":1,\"status\":{\"state\":\"ready\"}}",
                "{\"v\":2,\"pk\":\"good:main\",\"type\":\"ledger\",\"created_at\":1,\"retracted\":false,\"status_v\":1,\"status\":{\"state\":\"ready\"}}",
                "{\"v\":2,\"pk\":\"bad:main\",\"type\":\"ledger\",\"created_at\":1,\"retracted\":false,\"head_v\":\"x\",\"head\":{}}",
                "{\"v\":2,\"pk\":\"bad:main\",\"type\":\"ledger\",\"created_at\":1,\"retracted\":false,\"head_v\":-1,\"head\":{}}"
            })
    void a_corrupt_record_fails_its_own_lookup_and_nothing_else(String content) throws IOException {
        Files.writeString(folder.resolve("ns@v2/bad/main.json"), content);

        assertCorrupt(() -> names.lookup(BAD));
        assertCorrupt(() -> names.create(NewRecord.ledger(BAD)));
        assertThat(names.lookup(GOOD)).isPresent();
        NamePage page = names.list(NameQuery.all());
        assertThat(page.records()).extracting(NameRecord::alias).containsExactly(GOOD);
        assertThat(page.unreadable()).hasSize(1);
        assertThat(page.unreadable().get(0).reason().getMessage()).contains("ns@v2/bad/main.json");
    }

    @Test
    void a_corrupt_index_does_not_stop_commits() throws IOException {
        Files.writeString(folder.resolve("ns@v2/bad/main.index.json"), "{");

        assertCorrupt(() -> names.lookup(BAD));
        ConcernValue head = ConcernValue.of(1, Map.of("address", "a", "t", 1));
        assertThat(names.push(BAD, Concern.HEAD, ConcernValue.unborn(), head)).isEqualTo(new PushOutcome.Updated(head));
        assertThat(names.concern(BAD, Concern.HEAD)).contains(head);
    }

    @Test
    void an_index_that_belongs_to_no_name_is_corrupt() throws IOException {
        Files.writeString(folder.resolve("ns@v2/bad/main.index.json"), "{\"v\":2,\"pk\":\"::\",\"index_v\":0}");

        assertCorrupt(() -> names.concern(BAD, Concern.INDEX));
    }

    @Test
    void the_index_of_a_record_that_lost_its_main_file_is_reported() throws IOException {
        names.push(BAD, Concern.INDEX, ConcernValue.unborn(), ConcernValue.of(1, Map.of("address", "a")));
        Files.delete(folder.resolve("ns@v2/bad/main.json"));

        NamePage page = names.list(NameQuery.all());

        assertThat(page.records()).extracting(NameRecord::alias).containsExactly(GOOD);
        assertThat(page.unreadable()).hasSize(1);
        assertThat(page.unreadable().get(0).reason().getMessage())
                .contains("ns@v2/bad/main.index.json")
                .contains("without the part that says it exists");
    }

    @Test
    void what_a_creation_that_broke_off_leaves_behind_is_not_reported() throws IOException {
        Files.delete(folder.resolve("ns@v2/bad/main.json"));

        assertThat(names.list(NameQuery.all()).unreadable()).isEmpty();
        assertThat(names.create(NewRecord.ledger(BAD))).isInstanceOf(CreateOutcome.Created.class);
    }

    @Test
    void a_folder_that_cannot_be_listed_is_an_error_and_not_empty() throws IOException {
        Path bad = folder.resolve("ns@v2/bad");
        Files.move(bad, folder.resolve("moved"));
        Files.createSymbolicLink(bad, bad.getFileName());

        assertThatThrownBy(() -> names.list(NameQuery.all()))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.UNAVAILABLE));
    }

    @Test
    void what_is_no_record_is_reported_and_not_in_the_way() throws IOException {
        Files.writeString(folder.resolve("ns@v2/stray.txt"), "x");
        Files.writeString(folder.resolve("ns@v2/good/main.json.bak"), "x");
        Files.writeString(folder.resolve("ns@v2/good/.main.json.tmp"), "x");

        NamePage page = names.list(NameQuery.all());

        assertThat(page.records()).hasSize(2);
        assertThat(page.unreadable())
                .extracting(NamePage.Unreadable::place)
                .containsExactlyInAnyOrder("ns@v2/stray.txt", "ns@v2/good/main.json.bak");
    }

    @Test
    void staging_files_of_dead_writers_are_ignored_and_cleaned() throws IOException {
        Path staging = folder.resolve(".onto/tmp");
        Files.createDirectories(staging);
        Files.writeString(staging.resolve("left-behind"), "half a rec");

        assertThat(names.list(NameQuery.all()).records()).hasSize(2);
        assertThat(names.list(NameQuery.all()).unreadable()).isEmpty();
    }

    @Test
    void records_are_where_the_specification_says() throws IOException {
        names.create(NewRecord.of(Alias.parse("vg:search"), EntityType.BM25));

        try (Stream<Path> files = Files.walk(folder.resolve("ns@v2"))) {
            assertThat(files.filter(Files::isRegularFile)
                            .map(file -> folder.relativize(file).toString()))
                    .containsExactlyInAnyOrder(
                            "ns@v2/bad/main.json",
                            "ns@v2/bad/main.index.json",
                            "ns@v2/good/main.json",
                            "ns@v2/good/main.index.json",
                            "ns@v2/vg%3Asearch/main.json",
                            "ns@v2/vg%3Asearch/main.index.json");
        }
    }

    @Test
    void fields_that_nobody_knows_survive() throws IOException {
        Path file = folder.resolve("ns@v2/good/main.json");
        Files.writeString(
                file,
                "{\"v\":2,\"pk\":\"good:main\",\"type\":\"vg:odd\",\"name\":\"good\",\"branch\":\"main\",\"deps\":null,\"created_at\":5,"
                        + "\"retracted\":false,\"head_v\":0,\"head\":null,\"status_v\":3,\"status\":{\"state\":\"ready\"},"
                        + "\"extra\":{\"kept\":[1,2]}}");

        ConcernValue head = ConcernValue.of(1, Map.of("address", "a", "t", 1));
        assertThat(names.push(GOOD, Concern.HEAD, ConcernValue.unborn(), head))
                .isEqualTo(new PushOutcome.Updated(head));

        assertThat(Files.readString(file)).contains("\"extra\":{\"kept\":[1,2]}");
        assertThat(names.lookup(GOOD).orElseThrow().status().watermark()).isEqualTo(3);
    }

    private void assertCorrupt(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(OntologiaException.class, e -> {
            assertThat(e.kind()).isEqualTo(ErrorKind.CORRUPT);
            assertThat(e.getMessage()).contains("ns@v2/bad/main");
        });
    }
}
