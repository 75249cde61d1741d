package io.ontologia.nameservice;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One record, as it was read. Each concern is as it was at some moment during the read; concerns that are kept in separate
 * objects may be of different moments.
 *
 * @param alias its name
 * @param type what it is about; never changes
 * @param deps what it depends on, for graph sources; usually aliases
 * @param createdAt when it was created, to the second; never changes
 * @param lifecycle whether it takes pushes
 * @param head the head concern
 * @param index the index concern
 * @param status the status concern, always with a payload that has a {@code state}
 * @param config the config concern; may hold secrets, see {@link #redacted()}
 */
public record NameRecord(
        Alias alias,
        EntityType type,
        List<String> deps,
        Instant createdAt,
        Lifecycle lifecycle,
        ConcernValue head,
        ConcernValue index,
        ConcernValue status,
        ConcernValue config) {
    public NameRecord {
        deps = List.copyOf(deps);
    }

    /** One of its concerns. */
    public ConcernValue concern(Concern concern) {
        return switch (concern) {
            case HEAD -> head;
            case INDEX -> index;
            case STATUS -> status;
            case CONFIG -> config;
        };
    }

    /** Its watermarks. */
    public Watermarks watermarks() {
        return new Watermarks(head.watermark(), index.watermark(), status.watermark(), config.watermark());
    }

    /** Whether it is soft-deleted. */
    public boolean isRetracted() {
        return lifecycle == Lifecycle.RETRACTED;
    }

    /** The {@code state} inside its status; empty when a foreign writer left none. */
    public Optional<String> state() {
        return status.payload().flatMap(payload -> payload.text("state"));
    }

    /** The same with another value of one concern. */
    public NameRecord with(Concern concern, ConcernValue value) {
        ConcernValue next = identity().map(value::readFrom).orElse(value);
        return new NameRecord(
                alias,
                type,
                deps,
                createdAt,
                lifecycle,
                concern == Concern.HEAD ? next : head,
                concern == Concern.INDEX ? next : index,
                concern == Concern.STATUS ? next : status,
                concern == Concern.CONFIG ? next : config);
    }

    /** The same with other dependencies. */
    public NameRecord withDeps(List<String> others) {
        return new NameRecord(alias, type, others, createdAt, lifecycle, head, index, status, config);
    }

    /** What tells it from another record of the same name; empty when it was not read from a nameservice. */
    public Optional<RecordIdentity> identity() {
        return status.origin();
    }

    /** The same as it was read from a record that was marked so when it was created. */
    public NameRecord identified(String incarnation) {
        RecordIdentity record = RecordIdentity.of(createdAt, incarnation);
        return new NameRecord(
                alias,
                type,
                deps,
                createdAt,
                lifecycle,
                head.readFrom(record),
                index.readFrom(record),
                status.readFrom(record),
                config.readFrom(record));
    }

    /** The same with another status and lifecycle. */
    public NameRecord with(Lifecycle next, ConcernValue nextStatus) {
        ConcernValue changed = identity().map(nextStatus::readFrom).orElse(nextStatus);
        return new NameRecord(alias, type, deps, createdAt, next, head, index, changed, config);
    }

    /** The same without what may be secret in its config; see {@link Redaction}. */
    public NameRecord redacted() {
        return with(Concern.CONFIG, Redaction.of(Concern.CONFIG, config));
    }
}
