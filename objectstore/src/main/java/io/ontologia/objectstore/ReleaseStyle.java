package io.ontologia.objectstore;

/** What a released lock leaves behind. {@link StoreCapabilities#releaseStyle()} gives the right one for a store. */
public enum ReleaseStyle {
    /** The lock object stays, as one that expired long ago. Right on every store. */
    EXPIRE,
    /** The lock object is expired and then deleted. Only where {@link StoreProbe} saw conditional deletes enforced. */
    EXPIRE_AND_DELETE
}
