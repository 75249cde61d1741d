package io.ontologia.core.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Identity;
import io.ontologia.core.TypeRef;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The expected digests were computed by another program, from the description of the format. */
class CommitDigestTest {
    private static final TypeRef CUSTOMER = TypeRef.entity("Customer");
    private static final TypeRef BUYS = TypeRef.relation("Buys");
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final String OF_CUSTOMERS = "8e7f5fd0d3955c46779f6eea77eddd13d24b7552eff46f9ec63b25e00fa1201e";
    private static final String OF_RELATIONS = "de852e9dfbb2728b7910d2138e558b0ad1c069498efc79a1ccbc107c4c4ef0cc";
    private static final String FIRST = "c4ee7f5864c58c93601cd7dee57b87f141db898585b841ccafda1d0331b880b6";
    private static final String SECOND = "812df61270e91d419902b0fc63b7c6c5d57aedcbf2a8d4fd041de76a4384a45c";

    private static RowsDigest customers(String... keys) {
        RowsDigest.Builder rows = RowsDigest.of(CUSTOMER);
        for (String key : keys) {
            rows.add(new Identity.OfEntity(key), 1, 1, "{\"id\":\"" + key + "\"}");
        }
        return rows.build();
    }

    private static RowsDigest buys() {
        return RowsDigest.of(BUYS)
                .add(new Identity.OfRelation("c1", "p1", ""), 1, 2, "{}")
                .build();
    }

    @Test
    void the_digests_are_those_that_the_format_describes() {
        assertThat(customers("c1", "ü").sha256()).contains(OF_CUSTOMERS);
        assertThat(buys().sha256()).contains(OF_RELATIONS);
        String first =
                CommitDigest.of(CommitDigest.START, 1, NOON, Map.of("by", "me"), List.of(buys(), customers("c1", "ü")));
        assertThat(first).isEqualTo(FIRST);
        assertThat(CommitDigest.of(first, 2, NOON.plusSeconds(1), Map.of(), List.of()))
                .isEqualTo(SECOND);
    }

    @Test
    void the_order_of_rows_and_types_does_not_matter() {
        assertThat(customers("ü", "c1")).isEqualTo(customers("c1", "ü"));
        assertThat(CommitDigest.of("", 1, NOON, Map.of("by", "me"), List.of(customers("ü", "c1"), buys())))
                .isEqualTo(FIRST);
    }

    @Test
    void rows_given_as_bytes_have_the_same_digest() {
        RowsDigest.Builder rows = RowsDigest.of(BUYS).add(List.of(utf8("c1"), utf8("p1"), utf8("")), 1, 2, utf8("{}"));

        assertThat(rows.build()).isEqualTo(buys());
    }

    @Test
    void every_part_of_a_row_counts() {
        assertThat(List.of(
                        relation("c2", "p1", "", 1, 2, "{}"),
                        relation("c1p", "1", "", 1, 2, "{}"),
                        relation("c1", "p1", "x", 1, 2, "{}"),
                        relation("c1", "p1", "", 2, 2, "{}"),
                        relation("c1", "p1", "", 1, 3, "{}"),
                        relation("c1", "p1", "", 1, 2, "{ }")))
                .doesNotContain(buys())
                .doesNotHaveDuplicates();
        assertThat(customers("c1", "c1")).isNotEqualTo(customers("c1"));
    }

    @Test
    void every_part_of_a_commit_counts() {
        List<RowsDigest> rows = List.of(customers("c1"));
        RowsDigest unknown = new RowsDigest(CUSTOMER, 1, Optional.empty());

        assertThat(List.of(
                        CommitDigest.of("", 1, NOON, Map.of(), rows),
                        CommitDigest.of(FIRST, 1, NOON, Map.of(), rows),
                        CommitDigest.of("", 2, NOON, Map.of(), rows),
                        CommitDigest.of("", 1, NOON.plusNanos(1_000), Map.of(), rows),
                        CommitDigest.of("", 1, NOON, Map.of("a", 1), rows),
                        CommitDigest.of("", 1, NOON, Map.of(), List.of(customers("c2"))),
                        CommitDigest.of("", 1, NOON, Map.of(), List.of(customers("c1"), buys())),
                        CommitDigest.of("", 1, NOON, Map.of(), List.of(unknown)),
                        CommitDigest.of("", 1, NOON, Map.of(), List.of())))
                .doesNotHaveDuplicates();
    }

    private static RowsDigest relation(
            String left, String right, String instance, long commit, long version, String fields) {
        return RowsDigest.of(BUYS)
                .add(new Identity.OfRelation(left, right, instance), commit, version, fields)
                .build();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
