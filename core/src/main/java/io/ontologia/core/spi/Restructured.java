package io.ontologia.core.spi;

import io.ontologia.core.TypeRef;
import java.time.Instant;
import java.util.List;

/**
 * What a {@link Restructuring} did.
 *
 * @param outcomes one for each step, in order
 */
public record Restructured(long commitId, Instant at, List<Outcome> outcomes) {

    /**
     * What became of one type.
     *
     * @param version its version after the step; for a removed type the last one it had
     * @param rows how many rows were rewritten, or deleted
     */
    public record Outcome(TypeRef type, long version, long rows) {}
}
