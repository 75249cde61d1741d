package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.CommitInfo;
import io.ontologia.core.Finding;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Progress;
import io.ontologia.core.Session;
import io.ontologia.core.TypeRef;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.testkit.Shop.Customer;
import io.ontologia.testkit.Shop.Maker;
import io.ontologia.testkit.Shop.Product;
import io.ontologia.testkit.Shop.Subscription;
import io.ontologia.testkit.Shop.Visit;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every commit has a digest over its rows, time, metadata and the digest before it, the same on every backend. */
public abstract class DigestContract extends OntologySuite {
    /** The digests of the commits that {@link #fill} makes, on whatever backend. */
    private static final List<String> DIGESTS = List.of(
            "e27f4a70a41c4bc4b28874fa68f2d97c5424b4eee23efa54593ffdfcc4fea2db",
            "8ace0cdb263481fc991d615eb50b452806a154ecc686d798d2c8af86984018d3",
            "9e903677a6046d2e9d9bd1ccbe633c9881afb6fc02100a3d9faaeba9a20ada42",
            "f9f27593e9b51c98308f6f76ebfb988ea405af9c25fef30edaa8be7b2e89ce20");

    private void fill() {
        try (Session session = Ontologia.open(uri(), options(), Shop.TYPES)) {
            session.ensure(Customer.of("c1", "Gold", 32), Customer.of("ç 2/𝄞", "Silver", null));
            session.ensure(new Product("p1", "Pen", 1.5), new Maker("m1", "NL"));
            session.commit(Map.of("by", "a test", "n", 1));
            commit(
                    session,
                    new Subscription("c1", "p1", 3, true),
                    new Visit("c1", "m1", "monday", 5),
                    new Visit("c1", "m1", "tuesday", 6));
            commit(session, Customer.of("c1", "Bronze", 33));
            commit(session, many(0, 40));
        }
    }

    private static Object[] rest(Object[] all) {
        return Stream.of(all).skip(1).toArray();
    }

    private long commit(Session session, Object[] rows) {
        return commit(session, rows[0], rest(rows));
    }

    /** So many customers that backends reconcile them in bulk. */
    private static Object[] many(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> Customer.of("many" + i, "Gold", i))
                .toArray();
    }

    private Maintenance maintenance() {
        return Ontologia.maintain(uri(), options());
    }

    private List<String> digests() {
        try (Maintenance maintenance = maintenance();
                Stream<CommitInfo> commits = maintenance.storage().commits(0, OptionalLong.empty())) {
            return commits.sorted(java.util.Comparator.comparing(CommitInfo::id))
                    .map(commit -> commit.digest().orElse("none"))
                    .toList();
        }
    }

    private List<String> findings() {
        try (Maintenance maintenance = maintenance()) {
            return problems(maintenance.check(Progress.none()));
        }
    }

    private static List<String> problems(List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.isProblem() || finding.code().startsWith("digest"))
                .map(finding -> finding.code() + " " + finding.example())
                .toList();
    }

    @Test
    void the_same_history_has_the_same_digests_on_every_backend() {
        fill();

        assertThat(digests()).isEqualTo(DIGESTS);
        assertThat(findings()).isEmpty();
    }

    @Test
    void the_digest_of_the_newest_commit_or_of_any_other_can_be_asked_for() {
        fill();

        try (Maintenance maintenance = maintenance()) {
            assertThat(maintenance.digest(OptionalLong.empty(), Progress.none()))
                    .flatMap(CommitInfo::digest)
                    .contains(DIGESTS.get(3));
            assertThat(maintenance.digest(OptionalLong.of(2), Progress.none()))
                    .flatMap(CommitInfo::digest)
                    .contains(DIGESTS.get(1));
            assertFails(
                    ErrorKind.NOT_FOUND,
                    "there is no such commit",
                    () -> maintenance.digest(OptionalLong.of(5), Progress.none()));
        }
    }

    @Test
    void a_store_without_commits_has_no_digest() {
        open();

        try (Maintenance maintenance = maintenance()) {
            assertThat(maintenance.digest(OptionalLong.empty(), Progress.none()))
                    .isEmpty();
            assertThat(problems(maintenance.check(DIGESTS.get(0), Progress.none())))
                    .containsExactly("digest-unknown " + DIGESTS.get(0));
        }
    }

    @Test
    void a_digest_proves_the_history_up_to_its_commit() {
        fill();
        String kept = digests().get(1);
        try (Session session = open()) {
            commit(session, Customer.of("c9", "Gold", 9));
        }

        try (Maintenance maintenance = maintenance()) {
            assertThat(problems(maintenance.check(kept, Progress.none()))).isEmpty();
            assertThat(maintenance.commitOf(kept, Progress.none())).hasValue(2);
            String other = "0".repeat(64);
            assertThat(problems(maintenance.check(other, Progress.none()))).containsExactly("digest-unknown " + other);
            assertThat(maintenance.commitOf(other, Progress.none())).isEmpty();
        }
    }

    @Test
    void commits_of_which_only_some_rows_change_have_the_digest_of_what_they_wrote() {
        fill();
        try (Session session = open()) {
            Object[] rows = many(0, 60);
            rows[5] = Customer.of("many5", "Silver", 1);
            assertThat(commit(session, rows)).isEqualTo(5);
        }

        assertThat(digests())
                .hasSize(5)
                .startsWith(DIGESTS.toArray(String[]::new))
                .doesNotContain("none");
        assertThat(findings()).isEmpty();
    }

    @Test
    void purging_the_rows_of_a_type_changes_no_digest() {
        fill();
        try (Maintenance maintenance = maintenance()) {
            var drop = maintenance.drop(TypeRef.relation("Visit")).purgingHistory();
            drop.apply(drop.preview().token(), Map.of());
            var another = maintenance.drop(TypeRef.relation("Subscription")).purgingHistory();
            another.apply(another.preview().token(), Map.of());
        }
        try (Session session = open()) {
            commit(session, new Visit("c1", "m1", "friday", 5), Customer.of("c1", "Gold", 34));
        }

        assertThat(digests())
                .hasSize(7)
                .startsWith(DIGESTS.toArray(String[]::new))
                .doesNotContain("none");
        assertThat(findings()).isEmpty();
        try (Maintenance maintenance = maintenance()) {
            assertThat(problems(maintenance.check(DIGESTS.get(1), Progress.none())))
                    .isEmpty();
        }
    }

    @Test
    void a_store_in_which_every_commit_has_a_digest_gets_no_more() {
        fill();

        try (Maintenance maintenance = maintenance()) {
            assertThat(maintenance.recordDigests(Progress.none())).isZero();
        }
        assertThat(digests()).isEqualTo(DIGESTS);
    }

    @Test
    void entries_of_the_log_show_their_digest() {
        fill();

        try (Session session = open()) {
            assertThat(session.log().get(3).flatMap(CommitInfo::digest)).contains(DIGESTS.get(2));
        }
    }
}
