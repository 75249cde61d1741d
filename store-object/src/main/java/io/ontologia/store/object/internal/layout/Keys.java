package io.ontologia.store.object.internal.layout;

import io.ontologia.core.TypeKind;
import io.ontologia.core.TypeRef;
import java.util.OptionalLong;

/** Where each object of a store is. Type names are plain identifiers, so they need no encoding. */
public final class Keys {
    /** Points at the newest commit. */
    public static final String HEAD = "meta/head.json";

    /** The write lock. */
    public static final String LOCK = "meta/locks/ontology_write.json";

    /** The names of all known types. */
    public static final String TYPES = "meta/schema/types.json";

    /** The current schema of every known type. */
    public static final String REGISTRY = "meta/schema/registry.json";

    /** Types that were removed. */
    public static final String DROPPED = "meta/schema/dropped.json";

    /** Which engine made the store. */
    public static final String ENGINE = "meta/engine.json";

    /** Says that a copy to this place has not come to its end. */
    public static final String RESTORE = "meta/restore.json";

    /** What all digests are under that are not in manifests. */
    public static final String DIGESTS = "meta/digests/";

    /** What all documents about erased rows are under. */
    public static final String ERASURES = "meta/erasures/";

    /** What all commits are under. */
    public static final String COMMITS = "commits/";

    /** What all snapshots are under. */
    public static final String SNAPSHOTS = "snapshots/";

    private Keys() {}

    /** Every version of a type's schema. */
    public static String versions(TypeRef type) {
        return "meta/schema/versions/" + type.kind().wireName() + "/" + type.name() + ".json";
    }

    /** Which files hold the rows of a type. */
    public static String index(TypeRef type) {
        return "meta/indices/" + folder(type.kind()) + "/" + type.name() + ".json";
    }

    /** A copy of a type's index from some commits ago, for when the index is lost. */
    public static String checkpoint(TypeRef type) {
        return "meta/checkpoints/" + folder(type.kind()) + "/" + type.name() + ".json";
    }

    /** What is left of the erased rows of a type. */
    public static String erasure(TypeRef type, long commitId, String attempt) {
        return ERASURES + folder(type.kind()) + "/" + type.name() + "-" + commitId + "-" + attempt + ".json";
    }

    /** The folder of one attempt to make a commit, ending in a slash. */
    public static String attempt(long commitId, String attempt) {
        return COMMITS + commitId + "-" + attempt + "/";
    }

    /** The manifest in the folder of an attempt. */
    public static String manifest(String attemptFolder) {
        return attemptFolder + "manifest.json";
    }

    /** The commit that a manifest is an attempt at; empty when a key is not that of a manifest. */
    public static OptionalLong commitOfManifest(String key) {
        int dash = key.indexOf('-', COMMITS.length());
        if (!key.startsWith(COMMITS) || dash < 0 || !key.endsWith("/manifest.json")) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(Long.parseLong(key.substring(COMMITS.length(), dash)));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    /** The rows of a type in the folder of an attempt. */
    public static String data(String attemptFolder, TypeRef type) {
        return attemptFolder + folder(type.kind()) + "/" + type.name() + ".parquet";
    }

    /** The rows of a type from one commit to another. */
    public static String snapshot(TypeRef type, long minCommitId, long maxCommitId) {
        return SNAPSHOTS + folder(type.kind()) + "/" + type.name() + "-" + minCommitId + "-" + maxCommitId + ".parquet";
    }

    /** What the names of all snapshots of a type begin with; no name of another type does. */
    public static String snapshots(TypeRef type) {
        return SNAPSHOTS + folder(type.kind()) + "/" + type.name() + "-";
    }

    private static String folder(TypeKind kind) {
        return kind == TypeKind.ENTITY ? "entities" : "relations";
    }
}
