package io.ontologia.cli.internal.ns;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.access.NamesAccess;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.NameQuery;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.SyncOutcome;
import io.ontologia.nameservice.TrackingStore;
import io.ontologia.nameservice.Upstream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Brings records and their upstream in step, in one direction, and reports each concern. */
final class UpstreamRun {
    private static final String TRACKING = "vg:upstream/";

    private final Invocation invocation;
    private final NsOption local;
    private final NsUpstreamOption upstream;

    UpstreamRun(Invocation invocation, NsOption local, NsUpstreamOption upstream) {
        this.invocation = invocation;
        this.local = local;
        this.upstream = upstream;
    }

    /** Which side gets what the other one has. */
    enum Direction {
        /** From the upstream. */
        PULL,
        /** To the upstream. */
        PUSH
    }

    /** Runs for one record, or for all that the side has that gives. */
    ExitCode run(Direction direction, @Nullable String alias) {
        List<Map<String, @Nullable Object>> report = new ArrayList<>();
        try (Nameservice ours = local.whole(invocation);
                Nameservice theirs = new NamesAccess(invocation).upstream(upstream.uri(invocation))) {
            Upstream pair = new Upstream(ours, theirs, TrackingStore.in(ours, upstream.remote()));
            Nameservice giving = direction == Direction.PULL ? theirs : ours;
            for (NameRecord record : new NamedStores(invocation, giving)
                    .find(alias, NameQuery.Secrets.SHOWN)
                    .records()) {
                if (!record.alias().toString().startsWith(TRACKING)) {
                    Alias name = record.alias();
                    Map<Concern, SyncOutcome> outcomes =
                            direction == Direction.PULL ? pair.pull(name) : pair.push(name);
                    outcomes.forEach((concern, outcome) -> report.add(line(name, concern, outcome)));
                }
            }
        }
        Output output = invocation.output();
        if (output.format() == Output.Format.JSON) {
            output.json(report);
        } else {
            List<List<@Nullable Object>> rows = new ArrayList<>();
            report.forEach(line -> rows.add(new ArrayList<>(line.values())));
            output.table(List.of("alias", "concern", "outcome", "here", "upstream", "reason"), rows);
        }
        boolean good = report.stream()
                .allMatch(line -> List.of("in_step", "moved", "behind").contains(String.valueOf(line.get("outcome"))));
        return good ? ExitCode.SUCCESS : ExitCode.MISMATCH;
    }

    private static Map<String, @Nullable Object> line(Alias alias, Concern concern, SyncOutcome outcome) {
        if (outcome instanceof SyncOutcome.InStep same) {
            return line(alias, concern, "in_step", same.value(), same.value(), null);
        }
        if (outcome instanceof SyncOutcome.Moved moved) {
            return line(alias, concern, "moved", moved.value(), moved.value(), null);
        }
        if (outcome instanceof SyncOutcome.Behind behind) {
            return line(alias, concern, "behind", behind.local(), behind.upstream(), "it goes the other way");
        }
        if (outcome instanceof SyncOutcome.Diverged apart) {
            return line(
                    alias, concern, "diverged", apart.local(), apart.upstream(), "both moved: somebody has to decide");
        }
        if (outcome instanceof SyncOutcome.Refused refused) {
            return line(alias, concern, "refused", null, null, refused.reason().getMessage());
        }
        return line(
                alias,
                concern,
                "unknown",
                null,
                null,
                ((SyncOutcome.Unknown) outcome).reason().getMessage());
    }

    private static Map<String, @Nullable Object> line(
            Alias alias,
            Concern concern,
            String outcome,
            @Nullable ConcernValue here,
            @Nullable ConcernValue there,
            @Nullable String reason) {
        Map<String, @Nullable Object> line = new LinkedHashMap<>();
        line.put("pk", alias.toString());
        line.put("concern", concern.wireName());
        line.put("outcome", outcome);
        line.put("local_v", here == null ? null : here.watermark());
        line.put("upstream_v", there == null ? null : there.watermark());
        line.put("reason", reason);
        return line;
    }
}
