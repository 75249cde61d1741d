package io.ontologia.core;

import io.ontologia.core.internal.SessionTypes;
import io.ontologia.core.internal.records.RecordBinding;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** One way from an entity along relations. */
public final class Path {
    private final SessionTypes types;
    private final Result<Row> source;
    private final List<Hop> hops;

    /**
     * One step of a path.
     *
     * @param targetKey the key at the far end
     * @param target the entity there, empty when none is stored
     */
    public record Hop(Result<Row> relation, String targetKey, Optional<Result<Row>> target) {}

    Path(SessionTypes types, Result<Row> source, List<Hop> hops) {
        this.types = types;
        this.source = source;
        this.hops = hops;
    }

    /** Where it starts. */
    public Result<Row> source() {
        return source;
    }

    /** Its steps. */
    public List<Hop> hops() {
        return hops;
    }

    /** Where it starts, as a record. */
    public <T extends Record & Entity> T source(Class<T> record) {
        return read(record, source);
    }

    /** The relation of a step, counted from 0, as a record. */
    public <T extends Record & Relation<?, ?>> T relation(int step, Class<T> record) {
        return read(record, hops.get(step).relation());
    }

    /** The entity at the end of a step, counted from 0, as a record. */
    public <T extends Record & Entity> Optional<T> target(int step, Class<T> record) {
        return hops.get(step).target().map(found -> read(record, found));
    }

    private <T> T read(Class<T> record, Result<Row> row) {
        RecordBinding<T> binding = types.binding(record);
        return binding.hydrate(row.identity(), row.value().fields());
    }

    String lastKey() {
        return hops.isEmpty()
                ? source.identity().toString()
                : hops.get(hops.size() - 1).targetKey();
    }

    Path then(Hop hop) {
        return new Path(
                types, source, Stream.concat(hops.stream(), Stream.of(hop)).toList());
    }
}
