package io.ontologia.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.Author;
import io.ontologia.core.CommitInfo;
import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Finding;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Progress;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.UtcTimestamp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is changed behind the store's back is found by comparing each commit with its digest, and lost commits are named. */
class SqliteDamageTest {
    private static final Model MODEL = Model.of(
            new EntityType("Item", List.of(FieldDef.of("id", Primitive.STR), FieldDef.of("n", Primitive.INT)), "id"));

    @TempDir
    Path folder;

    private RawFile file() {
        return new RawFile(folder.resolve("onto.db"));
    }

    private Session open() {
        return Ontologia.open(file().uri(), SessionOptions.defaults().author(Author.none()), MODEL);
    }

    private static void commit(Session session, String key, long n) {
        session.ensure(new Row.OfEntity("Item", key, Map.of("n", n)));
        session.commit(Map.of("by", "test"));
    }

    /** Commits 1 to 3: two versions of a, one of b. */
    private RawFile filled() {
        try (Session session = open()) {
            commit(session, "alpha", 1);
            commit(session, "alpha", 2);
            commit(session, "bravo", 1);
        }
        return file();
    }

    private static List<Finding> check(Path path) {
        SessionOptions readOnly =
                SessionOptions.defaults().storage(StorageOptions.defaults().mode(StorageOptions.Mode.READ_ONLY));
        try (Maintenance maintenance = Ontologia.maintain("sqlite:///" + path, readOnly)) {
            return maintenance.check(Progress.none());
        }
    }

    private List<String> found() {
        return check(file().path()).stream()
                .map(finding -> finding.code() + ": " + finding.example())
                .toList();
    }

    private List<String> digests() {
        try (Maintenance maintenance = Ontologia.maintain(file().uri(), SessionOptions.defaults());
                Stream<CommitInfo> commits = maintenance.storage().commits(0, OptionalLong.empty())) {
            return commits.map(commit -> commit.digest().orElse("none")).toList();
        }
    }

    private long recordDigests() {
        try (Maintenance maintenance = Ontologia.maintain(file().uri(), SessionOptions.defaults())) {
            return maintenance.recordDigests(Progress.none());
        }
    }

    @Test
    void an_old_version_that_was_changed_is_found() {
        filled().execute("UPDATE entity_history SET fields_json = replace(fields_json, '1', '7') WHERE commit_id = 1");

        assertThat(found()).contains("digest-mismatch: commit 1");
    }

    @Test
    void metadata_time_and_digest_of_a_commit_that_were_changed_are_found() {
        RawFile file = filled();

        file.execute("UPDATE commits SET metadata_json = '{\"by\":\"tess\"}' WHERE id = 2");
        assertThat(found()).contains("digest-mismatch: commit 2");
        file.execute("UPDATE commits SET metadata_json = '{ \"by\": \"test\" }' WHERE id = 2");
        assertThat(found()).isEmpty();
        file.execute("UPDATE commits SET created_at = '2020-01-01T00:00:00.000000+00:00' WHERE id = 1");
        assertThat(found()).contains("digest-mismatch: commit 1");
    }

    @Test
    void a_digest_that_was_changed_is_found_there_and_in_the_commit_after_it() {
        filled().execute("UPDATE onto_commit_digests SET digest = replace(digest, substr(digest, 1, 1), 'x')"
                + " WHERE commit_id = 2");

        assertThat(check(file().path()))
                .filteredOn(finding -> finding.code().equals("digest-mismatch"))
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.count()).isEqualTo(2);
                    assertThat(finding.example()).isEqualTo("commit 2");
                });
    }

    @Test
    void a_history_that_was_rewritten_together_with_its_digests_does_not_have_a_digest_from_before() {
        RawFile file = filled();
        String kept = digests().get(1);
        file.execute(
                "UPDATE entity_history SET fields_json = replace(fields_json, '1', '7') WHERE commit_id = 1",
                "DELETE FROM onto_commit_digests",
                "UPDATE onto_latest_state SET dirty = 1");
        assertThat(recordDigests()).isEqualTo(3);

        try (Maintenance maintenance = Ontologia.maintain(file.uri(), SessionOptions.defaults())) {
            assertThat(maintenance.check(Progress.none())).noneMatch(Finding::isProblem);
            assertThat(maintenance.check(kept, Progress.none()))
                    .extracting(Finding::code)
                    .contains("digest-unknown");
        }
    }

    @Test
    void rows_that_are_only_noted_as_purged_are_found() {
        RawFile file = filled();
        file.execute(
                "DELETE FROM entity_history WHERE commit_id = 3",
                "INSERT INTO onto_purged_rows VALUES (3, 'entity', 'Item', 1, 'x')");

        assertThat(found()).contains("purge-unexplained: entity Item in commit 3");
    }

    @Test
    void a_wrong_extent_of_a_commit_is_found() {
        RawFile file = filled();
        assertThat(found()).isEmpty();

        file.execute("DELETE FROM onto_entity_commits WHERE commit_id = 2");

        assertThat(found()).containsExactly("commit-extent: commit 2 in onto_entity_commits");
    }

    @Test
    void latest_versions_are_compared_also_while_they_are_behind() throws SQLException {
        RawFile file = filled();
        try (ForeignFile foreign = new ForeignFile(file.path())) {
            foreign.commit(now(), null, ForeignFile.entity("Item", "c", "{'id':'c','n':1}"));
        }
        assertThat(found()).containsExactlyInAnyOrder("latest-behind: onto_latest_state", "digest-missing: commit 4");

        file.execute("UPDATE onto_entity_latest SET fields_json = '{}' WHERE entity_key = 'bravo'");

        assertThat(found()).contains("latest-differs: entity Item 'bravo'");
    }

    @Test
    void a_doubled_latest_row_is_found() throws IOException {
        try (Session session = open()) {
            commit(session, "twin-a", 1);
            commit(session, "twin-b", 1);
        }
        // Of the three places where the key is, the copies are WITHOUT ROWID: there the type comes right before it.
        byte[] bytes = Files.readAllBytes(file().path());
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        List<String> codes = null;
        for (int at = text.indexOf("Itemtwin-b"); at >= 0; at = text.indexOf("Itemtwin-b", at + 1)) {
            byte[] changed = bytes.clone();
            changed[at + "Itemtwin-".length()] = 'a';
            Files.write(file().path(), changed);
            codes = check(file().path()).stream().map(Finding::code).toList();
            assertThat(codes).isNotEmpty();
            if (codes.contains("latest-doubled")) {
                return;
            }
        }
        throw new AssertionError("not found in any place: " + codes);
    }

    @Test
    void commits_of_other_programs_have_no_digest_until_it_is_recorded() throws SQLException {
        RawFile file = filled();
        try (ForeignFile foreign = new ForeignFile(file.path())) {
            foreign.commit(now(), null, ForeignFile.entity("Item", "c", "{ 'n': 1, 'id': 'c' }"));
        }
        try (Session session = open()) {
            commit(session, "delta", 1);
        }
        assertThat(digests()).startsWith("none", "none").hasSize(5);
        assertThat(digests().subList(2, 5)).doesNotContain("none");

        assertThat(recordDigests()).isEqualTo(2);

        assertThat(digests()).doesNotContain("none").doesNotHaveDuplicates();
        assertThat(found()).isEmpty();
    }

    @Test
    void a_file_from_before_gets_its_digests_on_request_and_new_commits_then_have_theirs() {
        RawFile file = filled();
        List<String> original = digests();
        file.execute("DROP TABLE onto_commit_digests", "DROP TABLE onto_purged_rows");
        assertThat(check(file.path())).extracting(Finding::code).containsExactly("digest-missing");
        try (Session session = open()) {
            commit(session, "charlie", 1);
        }
        assertThat(digests()).containsOnly("none");

        assertThat(recordDigests()).isEqualTo(4);

        assertThat(digests())
                .hasSize(4)
                .endsWith(original.toArray(String[]::new))
                .doesNotContain("none");
        try (Session session = open()) {
            commit(session, "delta", 1);
        }
        assertThat(digests()).hasSize(5).doesNotContain("none");
        assertThat(found()).isEmpty();
    }

    @Test
    void a_row_without_content_is_an_error_that_says_so() {
        RawFile file = filled();
        file.execute(
                "PRAGMA writable_schema = ON",
                "UPDATE sqlite_master SET sql = replace(sql, 'fields_json TEXT NOT NULL', 'fields_json TEXT')");
        file.execute("UPDATE entity_history SET fields_json = NULL WHERE commit_id = 1");

        assertThat(found()).anyMatch(line -> line.startsWith("unreadable: digests"));
        try (Session session = open()) {
            assertThatThrownBy(() -> session.log().changes(1))
                    .isInstanceOfSatisfying(
                            OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.CORRUPT));
        }
    }

    /** A copy of the file and of some files beside it, as a careless backup takes it while a session is open. */
    private Path copyWhileOpen(Map<String, byte[]> replaced, String... suffixes) throws IOException {
        Path copy = Files.createDirectories(folder.resolve("copy")).resolve("onto.db");
        try (Session session = open()) {
            for (int i = 0; i < 20; i++) {
                commit(session, "key" + i, i);
            }
            for (String suffix : suffixes) {
                Path from = file().path().resolveSibling("onto.db" + suffix);
                Path to = copy.resolveSibling("onto.db" + suffix);
                Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
            }
        }
        for (Map.Entry<String, byte[]> one : replaced.entrySet()) {
            Files.write(copy.resolveSibling("onto.db" + one.getKey()), one.getValue());
        }
        return copy;
    }

    @Test
    void a_file_that_lost_its_log_says_which_commits_are_gone() throws IOException {
        Path whole = copyWhileOpen(Map.of(), "", "-wal", "-head");
        assertThat(check(whole)).noneMatch(Finding::isProblem);

        Files.delete(whole.resolveSibling("onto.db-wal"));

        assertThat(check(whole))
                .filteredOn(finding -> finding.code().equals("commits-lost"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.example()).isEqualTo("commits 1 to 20"));
    }

    @Test
    void a_damaged_frame_in_the_log_that_drops_later_commits_is_found() throws IOException {
        Path copy = copyWhileOpen(Map.of(), "", "-wal", "-head");
        Path log = copy.resolveSibling("onto.db-wal");
        byte[] bytes = Files.readAllBytes(log);
        bytes[bytes.length / 2] ^= 4;
        Files.write(log, bytes);

        List<Finding> findings = check(copy);

        assertThat(findings).extracting(Finding::code).contains("wal-damaged", "commits-lost");
        assertThat(findings.get(0).severity()).isEqualTo(Finding.Severity.ERROR);
    }

    @Test
    void a_session_that_is_closed_leaves_nothing_beside_the_file() throws IOException {
        filled();

        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(path -> path.getFileName().toString())).containsExactly("onto.db");
        }
    }

    @Test
    void commits_of_other_programs_after_a_crash_cause_no_alarm() throws IOException, SQLException {
        Path copy = copyWhileOpen(Map.of(), "", "-wal", "-head");
        try (ForeignFile foreign = new ForeignFile(copy)) {
            foreign.commit(now(), null, ForeignFile.entity("Item", "c", "{'id':'c','n':1}"));
        }

        assertThat(copy.resolveSibling("onto.db-wal")).doesNotExist();
        assertThat(copy.resolveSibling("onto.db-head")).exists();
        assertThat(check(copy)).noneMatch(Finding::isProblem);
        try (Session session = Ontologia.open("sqlite:///" + copy, SessionOptions.defaults(), MODEL)) {
            commit(session, "delta", 1);
        }
        assertThat(check(copy)).noneMatch(Finding::isProblem);
    }

    @Test
    void a_file_made_anew_does_not_miss_the_commits_of_one_that_was_deleted() throws IOException {
        Path copy = copyWhileOpen(Map.of(), "", "-wal", "-head");
        Files.delete(copy);
        Files.delete(copy.resolveSibling("onto.db-wal"));

        try (Session session = Ontologia.open("sqlite:///" + copy, SessionOptions.defaults(), MODEL)) {
            commit(session, "delta", 1);
        }

        assertThat(check(copy)).noneMatch(Finding::isProblem);
    }

    private static String now() {
        return UtcTimestamp.format(Clock.system().now());
    }
}
