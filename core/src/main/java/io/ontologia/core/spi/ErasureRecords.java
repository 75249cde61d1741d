package io.ontologia.core.spi;

import io.ontologia.core.CommitInfo;
import io.ontologia.core.Finding;
import io.ontologia.core.Finding.Severity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whether rows that are noted as erased were erased by a commit: the metadata of the commit that records an erasure has the number and
 * the hash of the erased versions of each type, and its digest covers them.
 */
final class ErasureRecords {
    /** The hashes of erased rows, by commit that erased them and by type, until that commit is passed. */
    private final Map<Long, Map<String, List<String>>> open = new LinkedHashMap<>();

    private final List<String> unexplained = new ArrayList<>();

    /** Goes on to the next commit. */
    void passed(CommitInfo commit, List<ErasedRow> erased) {
        Map<String, List<String>> noted = open.remove(commit.id());
        if (noted != null) {
            Map<String, String> said = said(commit);
            noted.forEach((type, hashes) -> {
                if (!ErasedRow.hashOfAll(hashes).equals(said.get(type))) {
                    unexplained.add(type + " in commit " + commit.id());
                }
            });
        }
        for (ErasedRow row : erased) {
            String type = row.type().kind().wireName() + " " + row.type().name();
            if (row.erasedBy() <= commit.id()) {
                unexplained.add(type + " in commit " + commit.id());
            } else {
                open.computeIfAbsent(row.erasedBy(), unused -> new LinkedHashMap<>())
                        .computeIfAbsent(type, unused -> new ArrayList<>())
                        .add(row.sha256());
            }
        }
    }

    private static Map<String, String> said(CommitInfo commit) {
        Map<String, String> said = new LinkedHashMap<>();
        if ("erasure".equals(commit.metadata().get("kind"))
                && commit.metadata().get("erased") instanceof List<?> types) {
            for (Object type : types) {
                if (type instanceof Map<?, ?> fields) {
                    said.put(
                            fields.get("type_kind") + " " + fields.get("type_name"),
                            String.valueOf(fields.get("rows_sha256")));
                }
            }
        }
        return said;
    }

    /** What was found in all commits. */
    Optional<Finding> unexplained() {
        List<String> places = new ArrayList<>(unexplained);
        open.forEach((commit, types) -> types.keySet().forEach(type -> places.add(type + " by commit " + commit)));
        return places.isEmpty()
                ? Optional.empty()
                : Optional.of(new Finding(
                        "erasure-unexplained",
                        Severity.ERROR,
                        "rows are noted as erased although no later commit records their erasure: restore the store from a backup",
                        places.size(),
                        places.get(0)));
    }
}
