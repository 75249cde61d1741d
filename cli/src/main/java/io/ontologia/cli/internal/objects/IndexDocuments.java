package io.ontologia.cli.internal.objects;

import io.ontologia.cli.internal.output.Output;
import io.ontologia.cli.internal.output.Styled;
import io.ontologia.cli.internal.output.Tone;
import io.ontologia.core.spi.Upkeep.IndexState;
import io.ontologia.core.spi.Upkeep.IndexStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The state of indices, for people and programs. */
public final class IndexDocuments {
    private IndexDocuments() {}

    /** Whether all of them can be believed. */
    static boolean clean(List<IndexState> states) {
        return states.stream().allMatch(state -> state.status() == IndexStatus.OK);
    }

    /** One index for programs. */
    public static Map<String, Object> document(IndexState state) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("kind", state.type().kind().wireName());
        document.put("type_name", state.type().name());
        document.put("max_indexed_commit", state.upTo());
        document.put("head", state.head());
        document.put("lag", Math.max(0, state.head() - state.upTo()));
        document.put("files", state.files());
        document.put("status", state.status().wireName());
        return document;
    }

    /** All of them for people. */
    public static void print(Output output, List<IndexState> states) {
        List<List<Object>> rows = new ArrayList<>();
        for (IndexState state : states) {
            Tone tone = state.status() == IndexStatus.OK ? Tone.GOOD : Tone.BAD;
            rows.add(List.of(
                    state.type().kind().wireName(),
                    state.type().name(),
                    state.upTo(),
                    state.head(),
                    state.files(),
                    new Styled(state.status().wireName(), tone)));
        }
        output.table(List.of("kind", "type", "indexed up to", "head", "files", "status"), rows);
    }

    /** What is wrong with an index, in one sentence; empty when nothing is. */
    public static Optional<String> warning(IndexState state) {
        String index = "the index of " + state.type();
        return switch (state.status()) {
            case OK -> Optional.empty();
            case MISSING -> Optional.of(index + " is missing or cannot be read");
            case LAG ->
                Optional.of(index + " ends at commit " + state.upTo() + ", the newest commit is " + state.head());
            case MISSING_LATEST_ENTRY ->
                Optional.of(index + " does not have what the newest commit, " + state.head() + ", wrote");
            case MISSING_ENTRY -> Optional.of(index + " does not have what an earlier commit wrote");
            case PATH_MISMATCH -> Optional.of(index + " names another file for a commit than its manifest");
            case BEYOND_HEAD ->
                Optional.of(index + " names commits after the newest commit, " + state.head()
                        + ": it comes from another state of the store");
        };
    }
}
