package io.ontologia.core;

import io.ontologia.core.spi.Eraser;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What an erasure would do.
 *
 * @param targets the rows, with how many versions each has
 * @param commits the commits that wrote one of these versions, oldest first
 * @param files the files that would be rewritten
 * @param events the events that name one of the rows, and that would be removed with their claims and dead letters
 * @param dependents how many relations of each type name one of the entities and would not be erased; there must be none
 * @param token what {@link Erasure#apply} needs; valid as long as the plan and the newest commit stay the same
 */
public record ErasurePlan(
        List<Target> targets,
        List<Long> commits,
        List<String> files,
        List<Eraser.EventRef> events,
        Map<TypeRef, Long> dependents,
        String token) {
    /** What an erasure does not reach. */
    public static final List<String> UNREACHABLE = List.of(
            "copies of the store (onto copy), backups and earlier versions of objects that the bucket keeps",
            "exports, and tables and search indexes that other programs made from the store",
            "local caches of other machines, until a process there reads the store again",
            "names and texts in the metadata of commits, in names of types and in log files",
            "values of other rows that mention the erased row without being a relation of it");

    /**
     * A row.
     *
     * @param versions how many versions of it there are; 0 when the store does not have it
     */
    public record Target(TypeRef type, Identity identity, long versions) {}

    public ErasurePlan {
        targets = List.copyOf(targets);
        commits = List.copyOf(commits);
        files = List.copyOf(files);
        events = List.copyOf(events);
        dependents = Collections.unmodifiableMap(new LinkedHashMap<>(dependents));
    }

    /** How many versions of rows would be erased. */
    public long versions() {
        return targets.stream().mapToLong(Target::versions).sum();
    }

    /** Whether there is nothing to erase. */
    public boolean isEmpty() {
        return versions() == 0 && events.isEmpty();
    }

    /**
     * Refuses a plan that cannot be carried out.
     *
     * @throws ErasureRefusedException when relations name the entities, or there is nothing to erase
     */
    public void requireNoObstacles() {
        if (isEmpty() || !dependents.isEmpty()) {
            throw new ErasureRefusedException(this);
        }
    }
}
