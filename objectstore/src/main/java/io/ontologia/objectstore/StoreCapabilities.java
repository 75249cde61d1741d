package io.ontologia.objectstore;

/**
 * What a store was seen to do beyond what it must do.
 *
 * @param conditionalDelete whether {@link ObjectStore#deleteIfMatch} can be relied on
 */
public record StoreCapabilities(ConditionalDelete conditionalDelete) {

    /** What a store does with the condition of a delete. */
    public enum ConditionalDelete {
        /** It keeps an object whose version is not the one named, also when others write at the same moment. */
        ENFORCED,
        /** It deletes anyway, now or in a race, or refuses such deletes altogether: do not use them. */
        IGNORED
    }

    /** How locks must be released on this store. */
    public ReleaseStyle releaseStyle() {
        return conditionalDelete == ConditionalDelete.ENFORCED ? ReleaseStyle.EXPIRE_AND_DELETE : ReleaseStyle.EXPIRE;
    }
}
