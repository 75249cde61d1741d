package io.ontologia.nameservice;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What was last seen in step, in the config of a record for each record. */
final class RecordTracking implements TrackingStore {
    private static final EntityType TYPE = new EntityType("vg:tracking");
    private static final int ATTEMPTS = 50;

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
        Alias tracked = tracked(alias);
        for (int i = 0; i < ATTEMPTS; i++) {
            Optional<ConcernValue> current = names.concern(tracked, Concern.CONFIG);
            if (current.isEmpty()) {
                var unused = names.create(NewRecord.of(tracked, TYPE));
                continue;
            }
            Map<String, @Nullable Object> seen = new LinkedHashMap<>();
            seen.put("v", value.watermark());
            seen.put("payload", value.payload().map(ConcernPayload::fields).orElse(null));
            ConcernValue next = current.get()
                    .next(current.get()
                            .payload()
                            .orElse(ConcernPayload.of(Map.of()))
                            .with(concern.wireName(), seen));
            if (names.push(tracked, Concern.CONFIG, current.get(), next) instanceof PushOutcome.Updated) {
                return;
            }
        }
        // Not remembered: the next synchronization compares with what was seen before, and at worst reports a
        // divergence.
    }

    private Alias tracked(Alias alias) {
        return new Alias(
                Alias.Space.GRAPH_SOURCE,
                "upstream/" + remote + "/"
                        + alias.qualifiedName().replace("%", "%25").replace(":", "%3A"),
                alias.branch());
    }
}
