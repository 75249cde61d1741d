package io.ontologia.objectstore;

import java.util.List;
import java.util.Optional;

/**
 * One page of a listing.
 *
 * @param objects in the order of their keys' UTF-8 bytes
 * @param groups the folders right below the prefix, each ending in {@code /}, when folders are folded
 * @param next what to ask for to get the following page; empty after the last one
 */
public record ListPage(List<ObjectSummary> objects, List<String> groups, Optional<String> next) {
    public ListPage {
        objects = List.copyOf(objects);
        groups = List.copyOf(groups);
    }
}
