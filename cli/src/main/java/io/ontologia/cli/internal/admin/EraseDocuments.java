package io.ontologia.cli.internal.admin;

import io.ontologia.cli.internal.output.Output;
import io.ontologia.core.ErasurePlan;
import io.ontologia.core.ErasureRemains;
import io.ontologia.core.ErasureResult;
import io.ontologia.core.Identity;
import io.ontologia.core.TypeRef;
import io.ontologia.kernel.UtcTimestamp;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prints plans and results of erasures. */
final class EraseDocuments {
    private final Output output;

    EraseDocuments(Output output) {
        this.output = output;
    }

    void print(ErasurePlan plan) {
        if (output.format() == Output.Format.JSON) {
            output.json(document(plan));
            return;
        }
        List<List<Object>> rows = new ArrayList<>();
        plan.targets()
                .forEach(target -> rows.add(List.of(
                        target.type().kind().wireName(), target.type().name(), target.identity(), target.versions())));
        output.table(List.of("kind", "type", "row to erase", "versions"), rows);
        output.line("");
        output.line("versions in " + plan.commits().size() + " commits; files to rewrite: "
                + plan.files().size() + "; events to remove: " + plan.events().size());
        plan.events().forEach(event -> output.line("  event " + event.eventId() + " of " + event.namespace()));
        output.line("not reached:");
        ErasurePlan.UNREACHABLE.forEach(place -> output.line("  " + place));
        if (plan.dependents().isEmpty() && !plan.isEmpty()) {
            output.line("");
            output.line("token: " + plan.token());
            output.line("nothing was changed; add --apply and --token with this token to do it");
        }
    }

    private static Map<String, Object> document(ErasurePlan plan) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put(
                "rows",
                plan.targets().stream()
                        .map(target -> {
                            Map<String, Object> row = type(target.type());
                            row.putAll(identity(target.identity()));
                            row.put("versions", target.versions());
                            return row;
                        })
                        .toList());
        document.put("versions", plan.versions());
        document.put("commits", plan.commits());
        document.put("files", plan.files());
        document.put(
                "events",
                plan.events().stream()
                        .map(event -> Map.of("namespace", event.namespace(), "event_id", event.eventId()))
                        .toList());
        List<Map<String, Object>> dependents = new ArrayList<>();
        plan.dependents().forEach((type, count) -> {
            Map<String, Object> one = type(type);
            one.put("relations", count);
            dependents.add(one);
        });
        document.put("dependents", dependents);
        document.put("not_reached", ErasurePlan.UNREACHABLE);
        document.put("token", plan.token());
        return document;
    }

    private static Map<String, Object> type(TypeRef type) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("type_kind", type.kind().wireName());
        document.put("type_name", type.name());
        return document;
    }

    private static Map<String, Object> identity(Identity identity) {
        Map<String, Object> keys = new LinkedHashMap<>();
        if (identity instanceof Identity.OfRelation relation) {
            keys.put("left_key", relation.leftKey());
            keys.put("right_key", relation.rightKey());
            keys.put("instance_key", relation.instanceKey());
        } else {
            keys.put("key", ((Identity.OfEntity) identity).key());
        }
        return keys;
    }

    void print(ErasureResult result) {
        if (output.format() == Output.Format.JSON) {
            List<Map<String, Object>> erased = new ArrayList<>();
            result.versions().forEach((type, count) -> {
                Map<String, Object> one = type(type);
                one.put("versions", count);
                erased.add(one);
            });
            Map<String, @Nullable Object> document = new LinkedHashMap<>();
            document.put("commit_id", result.commitId());
            document.put("erased", erased);
            document.put("events_removed", result.events());
            document.putAll(document(result.remains()));
            output.json(document);
            return;
        }
        List<List<Object>> rows = new ArrayList<>();
        result.versions().forEach((type, count) -> rows.add(List.of(type.kind().wireName(), type.name(), count)));
        output.table(List.of("kind", "type", "versions erased"), rows);
        output.line("");
        output.line("commit " + result.commitId() + ", events removed: " + result.events());
        lines(result.remains());
    }

    ErasureRemains print(ErasureRemains remains) {
        if (output.format() == Output.Format.JSON) {
            output.json(document(remains));
        } else {
            lines(remains);
        }
        return remains;
    }

    private static Map<String, @Nullable Object> document(ErasureRemains remains) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("content_gone", remains.isEmpty());
        document.put("remains", remains.places());
        document.put(
                "removable_from",
                remains.removableFrom().map(UtcTimestamp::format).orElse(null));
        return document;
    }

    private void lines(ErasureRemains remains) {
        if (remains.isEmpty()) {
            output.line("no file of the store holds the content of erased rows");
            return;
        }
        output.line("files that still hold content of erased rows: "
                + remains.places().size());
        output.line(remains.remedy());
    }
}
