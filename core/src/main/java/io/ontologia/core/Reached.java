package io.ontologia.core;

import java.util.Optional;

/**
 * An entity that a {@link Traversal} leads to.
 *
 * @param depth how many relations the shortest path to it follows
 * @param entity the entity, empty when none is stored under the key
 */
public record Reached(String key, int depth, Optional<Result<Row>> entity) {}
