package io.ontologia.cli.internal.ns;

import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.access.NamesAccess;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.NameQuery;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.Settlement;
import io.ontologia.nameservice.SyncOutcome;
import io.ontologia.nameservice.SyncReport;
import io.ontologia.nameservice.TrackingStore;
import io.ontologia.nameservice.Upstream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
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
            Settlement settlement = upstream.settlement();
            for (Alias name : wanted(giving, pair, alias, report)) {
                try {
                    SyncReport outcome =
                            direction == Direction.PULL ? pair.pull(name, settlement) : pair.push(name, settlement);
                    outcome.concerns().forEach((concern, one) -> report.add(line(name, concern, one)));
                    outcome.notes().forEach(note -> report.add(line(name, note)));
                } catch (OntologiaException e) {
                    if (e.kind() == ErrorKind.UNAVAILABLE || e.kind() == ErrorKind.CLOSED || alias != null) {
                        throw e;
                    }
                    report.add(line(name.toString(), null, "failed", null, null, e.getMessage()));
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

    /** The record that is asked for; or all that the giving side has, and those that were in step and are gone there. */
    private Set<Alias> wanted(
            Nameservice giving, Upstream pair, @Nullable String alias, List<Map<String, @Nullable Object>> report) {
        if (alias != null) {
            return Set.of(Alias.parse(alias));
        }
        NamedStores.Found found = new NamedStores(invocation, giving).find(null, NameQuery.Secrets.SHOWN);
        Set<Alias> wanted = new LinkedHashSet<>();
        found.records().stream()
                .map(NameRecord::alias)
                .filter(name -> !name.toString().startsWith(TRACKING))
                .forEach(wanted::add);
        wanted.addAll(new TreeSet<>(pair.known()));
        found.unreadable()
                .forEach(one -> report.add(line(
                        one.place(),
                        null,
                        "unreadable",
                        null,
                        null,
                        one.reason().getMessage())));
        return wanted;
    }

    private static Map<String, @Nullable Object> line(Alias alias, SyncReport.Note note) {
        String subject = note.subject().name().toLowerCase(Locale.ROOT);
        String outcome = note.result().name().toLowerCase(Locale.ROOT);
        String remedy = note.result() == SyncReport.Result.DIVERGED ? "; --theirs or --ours decides" : "";
        return line(alias.toString(), subject, outcome, null, null, note.reason() + remedy);
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
                    alias,
                    concern,
                    "diverged",
                    apart.local(),
                    apart.upstream(),
                    "both moved: --theirs or --ours decides");
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
        return line(
                alias.toString(),
                concern.wireName(),
                outcome,
                here == null ? null : here.watermark(),
                there == null ? null : there.watermark(),
                reason);
    }

    private static Map<String, @Nullable Object> line(
            String place,
            @Nullable String subject,
            String outcome,
            @Nullable Long here,
            @Nullable Long there,
            @Nullable String reason) {
        Map<String, @Nullable Object> line = new LinkedHashMap<>();
        line.put("pk", place);
        line.put("concern", subject);
        line.put("outcome", outcome);
        line.put("local_v", here);
        line.put("upstream_v", there);
        line.put("reason", reason);
        return line;
    }
}
