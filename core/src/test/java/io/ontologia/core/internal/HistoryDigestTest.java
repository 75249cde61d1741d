package io.ontologia.core.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.CommitInfo;
import io.ontologia.core.Identity;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.PastRow;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.core.spi.TypeHistory;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HistoryDigestTest {
    private static final TypeRef NOTE = TypeRef.entity("Note");
    private static final TypeRef LINK = TypeRef.relation("Link");
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private static final PastRow FIRST = note("n1", "{\"a\":1}", 1, 1);
    private static final PastRow SECOND = note("n2", "{\"a\":2}", 1, 1);

    private static PastRow note(String key, String fields, long commit, long version) {
        return new PastRow(NOTE, new StoredRow(new Identity.OfEntity(key), fields, commit, version));
    }

    private static PastRow link(String left, String right, String instance) {
        return new PastRow(LINK, new StoredRow(new Identity.OfRelation(left, right, instance), "{}", 1, 1));
    }

    private static TypeHistory type(TypeHistory.Status status, String schemaJson) {
        return new TypeHistory(
                NOTE,
                status,
                List.of(new SchemaVersion(NOTE, 1, schemaJson, "hash", NOON, Optional.empty(), Optional.empty())));
    }

    private static HistoryDigest digest(CommitInfo commit, PastRow... rows) {
        HistoryDigest digest = new HistoryDigest(List.of(type(TypeHistory.Status.KNOWN, "{\"a\":1,\"b\":2}")));
        digest.commit(commit, List.of());
        List.of(rows).forEach(digest::row);
        digest.finish();
        return digest;
    }

    private static CommitInfo commit(String why) {
        return new CommitInfo(1, NOON, 2, Map.of("why", why));
    }

    @Test
    void the_order_of_rows_and_the_form_of_a_schema_do_not_matter() {
        HistoryDigest one = digest(commit("x"), FIRST, SECOND);
        HistoryDigest other = new HistoryDigest(List.of(type(TypeHistory.Status.KNOWN, "{ \"b\": 2, \"a\": 1 }")));
        other.commit(commit("x"), List.of());
        List.of(SECOND, FIRST).forEach(other::row);
        other.finish();

        assertThat(one.differenceTo(other)).isEmpty();
        assertThat(one.rowCount()).isEqualTo(2);
        assertThat(one.commits()).isEqualTo(1);
    }

    @Test
    void another_log_is_a_difference() {
        HistoryDigest one = digest(commit("x"), FIRST);

        assertThat(one.differenceTo(digest(commit("y"), FIRST))).hasValue("the commit log");
        assertThat(one.differenceTo(digest(new CommitInfo(1, NOON.plusNanos(1_000), 2, Map.of("why", "x")), FIRST)))
                .hasValue("the commit log");
        assertThat(one.differenceTo(digest(new CommitInfo(2, NOON, 2, Map.of("why", "x")), FIRST)))
                .hasValue("the commit log");
    }

    @Test
    void another_type_or_status_is_a_difference() {
        HistoryDigest known = new HistoryDigest(List.of(type(TypeHistory.Status.KNOWN, "{}")));
        HistoryDigest dropped = new HistoryDigest(List.of(type(TypeHistory.Status.DROPPED, "{}")));
        HistoryDigest none = new HistoryDigest(List.of());

        assertThat(known.differenceTo(dropped)).isPresent();
        assertThat(known.differenceTo(none)).isPresent();
        assertThat(none.differenceTo(known)).isPresent();
    }

    @Test
    void every_part_of_a_row_counts() {
        HistoryDigest one = digest(commit("x"), FIRST, SECOND);

        assertThat(List.of(
                        note("n3", "{\"a\":2}", 1, 1),
                        note("n2", "{\"a\":3}", 1, 1),
                        note("n2", "{\"a\":2}", 2, 1),
                        note("n2", "{\"a\":2}", 1, 2)))
                .allSatisfy(changed -> assertThat(one.differenceTo(digest(commit("x"), FIRST, changed)))
                        .hasValue("the rows of entity Note, 2 and 2"));
        assertThat(one.differenceTo(digest(commit("x"), FIRST))).hasValue("the rows of entity Note, 2 and 1");
        assertThat(digest(commit("x"), FIRST).differenceTo(one)).hasValue("the rows of entity Note, 1 and 2");
        assertThat(one.differenceTo(digest(commit("x"), FIRST, SECOND, link("a", "b", ""))))
                .hasValue("the rows of relation Link, 0 and 1");
    }

    @Test
    void the_parts_of_an_identity_do_not_run_into_each_other() {
        HistoryDigest one = digest(commit("x"), link("ab", "c", ""));

        assertThat(one.differenceTo(digest(commit("x"), link("a", "bc", "")))).isPresent();
        assertThat(one.differenceTo(digest(commit("x"), link("ab", "c", "x")))).isPresent();
    }
}
