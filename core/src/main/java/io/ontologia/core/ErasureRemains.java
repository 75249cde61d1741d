package io.ontologia.core;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What of a store still holds the content of erased rows.
 *
 * @param places files and objects; empty when the content is gone
 * @param removableFrom when {@code onto gc} may remove them; empty when it is not a matter of time
 * @param remedy what to do, in one sentence; empty when the content is gone
 */
public record ErasureRemains(List<String> places, Optional<Instant> removableFrom, String remedy) {
    private static final ErasureRemains NONE = new ErasureRemains(List.of(), Optional.empty(), "");

    public ErasureRemains {
        places = List.copyOf(places);
    }

    /** Nothing. */
    public static ErasureRemains none() {
        return NONE;
    }

    /** Whether no file of the store holds the content of an erased row. */
    public boolean isEmpty() {
        return places.isEmpty();
    }
}
