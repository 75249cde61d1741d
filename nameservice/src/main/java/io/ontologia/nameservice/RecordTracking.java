package io.ontologia.nameservice;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What was last seen in step, in the config of a record for each record. */
final class RecordTracking implements TrackingStore {
    private static final EntityType TYPE = new EntityType("vg:tracking");
    private static final int ATTEMPTS = 50;

    private static final String DEPS = "deps";

    private final Nameservice names;
    private final String remote;

    RecordTracking(Nameservice names, String remote) {
        this.names = names;
        this.remote = remote;
        if (remote.isEmpty() || remote.indexOf('/') >= 0) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid name of an upstream '" + remote + "'",
                    "it is empty or holds a slash",
                    "use a name like origin");
        }
    }

    @Override
    public Optional<ConcernValue> lastSeen(Alias alias, Concern concern) {
        return names.concern(tracked(alias), Concern.CONFIG)
                .flatMap(ConcernValue::payload)
                .flatMap(payload -> payload.object(concern.wireName()))
                .map(seen -> new ConcernValue(seen.integer("v").orElse(0L), seen.object("payload")));
    }

    @Override
    public void remember(Alias alias, Concern concern, ConcernValue value) {
        Map<String, @Nullable Object> seen = new LinkedHashMap<>();
        seen.put("v", value.watermark());
        seen.put("payload", value.payload().map(ConcernPayload::fields).orElse(null));
        set(tracked(alias), concern.wireName(), seen);
    }

    @Override
    public Optional<List<String>> lastDeps(Alias alias) {
        return names.concern(tracked(alias), Concern.CONFIG)
                .flatMap(ConcernValue::payload)
                .flatMap(payload -> payload.fields().get(DEPS) instanceof List<?> list
                        ? Optional.of(list.stream().map(String::valueOf).toList())
                        : Optional.empty());
    }

    @Override
    public void rememberDeps(Alias alias, List<String> deps) {
        set(tracked(alias), DEPS, deps);
    }

    @Override
    public Set<Alias> known() {
        Set<Alias> known = new HashSet<>();
        NameQuery query = NameQuery.all().prefix("vg:" + prefix());
        Optional<NameQuery> next = Optional.of(query);
        while (next.isPresent()) {
            NamePage page = names.list(next.get());
            page.records().stream()
                    .filter(record -> !record.isRetracted() && record.type().equals(TYPE))
                    .map(record -> alias(record.alias()))
                    .forEach(known::add);
            next = page.next().map(query::continueAt);
        }
        return known;
    }

    @Override
    public void forget(Alias alias) {
        Alias tracked = tracked(alias);
        if (names.lookup(tracked).isPresent()) {
            var unused = names.retract(tracked, "forgotten");
            var unusedToo = names.purge(tracked);
        }
    }

    private void set(Alias tracked, String field, Object seen) {
        for (int i = 0; i < ATTEMPTS; i++) {
            Optional<ConcernValue> current = names.concern(tracked, Concern.CONFIG);
            if (current.isEmpty()) {
                var unused = names.create(NewRecord.of(tracked, TYPE));
                continue;
            }
            ConcernValue next = current.get()
                    .next(current.get()
                            .payload()
                            .orElse(ConcernPayload.of(Map.of()))
                            .with(field, seen));
            if (names.push(tracked, Concern.CONFIG, current.get(), next) instanceof PushOutcome.Updated) {
                return;
            }
        }
        // Not remembered: the next synchronization compares with what was seen before, and at worst reports a
        // divergence.
    }

    private String prefix() {
        return "upstream/" + remote + "/";
    }

    /** The record that a tracking record is about. */
    private Alias alias(Alias tracked) {
        String name =
                tracked.name().substring(prefix().length()).replace("%3A", ":").replace("%25", "%");
        return Alias.parse(name + ":" + tracked.branch());
    }

    private Alias tracked(Alias alias) {
        return new Alias(
                Alias.Space.GRAPH_SOURCE,
                prefix() + alias.qualifiedName().replace("%", "%25").replace(":", "%3A"),
                alias.branch());
    }
}
