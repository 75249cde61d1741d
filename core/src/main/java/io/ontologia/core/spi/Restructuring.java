package io.ontologia.core.spi;

import io.ontologia.core.LockHolder;
import io.ontologia.core.OntologyType;
import io.ontologia.core.Progress;
import io.ontologia.core.TypeRef;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A change of schemas and of the rows under them, which becomes one commit or nothing.
 *
 * @param lock the hold of the write lock under which it happens; it must still be the present one
 * @param expectedHead the newest commit must still be this one; 0 for none
 * @param expectedVersions every type that the store knows, and its current version; must still be so
 * @param steps what to do, at most one step for each type
 * @param metadata what the log keeps with the commit, once the outcome of each step is known
 * @param runtimeId who asks
 * @param progress told about rows, by type
 */
public record Restructuring(
        LockHolder lock,
        long expectedHead,
        Map<TypeRef, Long> expectedVersions,
        List<Step> steps,
        Function<List<Restructured.Outcome>, Map<String, @Nullable Object>> metadata,
        String runtimeId,
        Progress progress) {

    /** What is done to one type. */
    public sealed interface Step {
        /** The type. */
        TypeRef type();

        /** The type is new: it gets its next version, which is the first unless it was there before and removed. */
        record Register(OntologyType declared) implements Step {
            @Override
            public TypeRef type() {
                return declared.ref();
            }
        }

        /**
         * The type gets its next version, and every latest row another one that fits it.
         *
         * @param upgrade the payload, in canonical JSON, that a row shall have; what it throws ends everything
         * @param rows how many rows there are, for the progress
         * @param record how rows of the version before become rows of the next one: stored with it as {@link
         *     io.ontologia.core.SchemaVersion#upgrade}
         */
        record Migrate(OntologyType declared, Function<StoredRow, String> upgrade, long rows, String record)
                implements Step {
            @Override
            public TypeRef type() {
                return declared.ref();
            }
        }

        /** The type is no longer known. Its schema versions are kept, so that none is ever used twice. */
        record Remove(TypeRef type, History history) implements Step {}
    }

    /** What becomes of the rows of a removed type. */
    public enum History {
        /** There must be none. */
        MUST_BE_EMPTY,
        /** Every version of every row is deleted, for good. */
        PURGE
    }
}
