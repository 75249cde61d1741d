package io.ontologia.core.internal.graph;

/** Takes relations between entities, as seen from the end that a step starts at. */
interface Edge {
    /**
     * Takes one relation.
     *
     * @param instance the instance key, empty for types without
     */
    void take(String from, String to, String instance);
}
