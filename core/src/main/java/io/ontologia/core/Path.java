package io.ontologia.core;

import io.ontologia.core.internal.SessionTypes;
import io.ontologia.core.internal.records.RecordBinding;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One way from an entity along relations. */
public final class Path {
    private final SessionTypes types;
    private final Result<Row> source;
    private final @Nullable Path before;
    private final @Nullable Hop last;
    private final int depth;

    /**
     * One step of a path.
     *
     * @param targetKey the key at the far end
     * @param target the entity there, empty when none is stored
     */
    public record Hop(Result<Row> relation, String targetKey, Optional<Result<Row>> target) {}

    Path(SessionTypes types, Result<Row> source) {
        this(types, source, null, null, 0);
    }

    private Path(SessionTypes types, Result<Row> source, @Nullable Path before, @Nullable Hop last, int depth) {
        this.types = types;
        this.source = source;
        this.before = before;
        this.last = last;
        this.depth = depth;
    }

    /** Where it starts. */
    public Result<Row> source() {
        return source;
    }

    /** Its steps, first to last. Paths share them: each call makes a list. */
    public List<Hop> hops() {
        List<Hop> hops = new ArrayList<>(depth);
        for (Path path = this; path != null && path.last != null; path = path.before) {
            hops.add(path.last);
        }
        Collections.reverse(hops);
        return Collections.unmodifiableList(hops);
    }

    /** How many relations it follows. */
    public int depth() {
        return depth;
    }

    /** The last step, empty when there is none. */
    public Optional<Hop> lastHop() {
        return Optional.ofNullable(last);
    }

    /** Where it starts, as a record. */
    public <T extends Record & Entity> T source(Class<T> record) {
        return read(record, source);
    }

    /** The relation of a step, counted from 0, as a record. */
    public <T extends Record & Relation<?, ?>> T relation(int step, Class<T> record) {
        return read(record, hops().get(step).relation());
    }

    /** The entity at the end of a step, counted from 0, as a record. */
    public <T extends Record & Entity> Optional<T> target(int step, Class<T> record) {
        return hops().get(step).target().map(found -> read(record, found));
    }

    private <T> T read(Class<T> record, Result<Row> row) {
        RecordBinding<T> binding = types.binding(record);
        return binding.hydrate(row.identity(), row.value().fields());
    }

    String lastKey() {
        return last == null ? source.identity().toString() : last.targetKey();
    }

    Path then(Hop hop) {
        return new Path(types, source, this, hop, depth + 1);
    }
}
