package io.ontologia.store.object.internal.layout;

import io.ontologia.core.spi.CommitDigest;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Stored;
import io.ontologia.kernel.UtcTimestamp;
import io.ontologia.objectstore.ObjectKey;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code meta/head.json}: the newest commit. Whoever swaps it makes a commit visible.
 *
 * <p>The head is also the fence of the write lock: a writer may swap it only under a token that is at least {@code fence}.
 * Rewriting it with the same commit and another nonce makes every swap fail that was prepared on the version before.
 *
 * @param commitId 0 before the first commit
 * @param manifestPath the key of its manifest, which has the attempt's id in it; empty before the first commit
 * @param fence the smallest token of the write lock under which the head may be swapped; 0 when another implementation wrote it
 * @param nonce what tells this version from others with the same commit
 * @param digest of the commit; empty where none is recorded, and before the first commit
 */
public record Head(
        long commitId,
        Optional<String> manifestPath,
        Instant updatedAt,
        String runtimeId,
        long fence,
        Optional<String> nonce,
        Optional<String> digest) {
    private static final String ERASING = "erasing_since";
    private static final String UPDATED = "updated_at";
    private static final String FENCE = "fence";
    private static final String NONCE = "nonce";
    private static final String DIGEST = "digest";

    /** A writer that does not know digests may leave the one of an earlier commit. */
    private static final String DIGEST_OF = "digest_commit_id";

    /** A head that was not rewritten, with the lowest fence and without a digest. */
    public Head(long commitId, Optional<String> manifestPath, Instant updatedAt, String runtimeId) {
        this(commitId, manifestPath, updatedAt, runtimeId, 0, Optional.empty(), Optional.empty());
    }

    public Head {
        if (commitId < 0 || (commitId > 0) != manifestPath.isPresent()) {
            throw new OntologiaException(
                    ErrorKind.CORRUPT,
                    "cannot read " + Keys.HEAD,
                    "commit " + commitId + (manifestPath.isPresent() ? " has" : " has no") + " manifest",
                    "restore it from a backup; 'onto fsck' tells what is there");
        }
    }

    /** {@code onto init --force} puts a document with this field in the place of the head while it removes everything else. */
    private static void refuse(String since) {
        throw new OntologiaException(
                ErrorKind.NOT_FOUND,
                "cannot read " + Keys.HEAD,
                "there is no store any more: 'onto init --force' has been removing everything since " + since,
                "wait for it; if it broke off, 'onto init --force --dry-run' tells how to finish it");
    }

    /** Before the first commit. */
    public static Head empty(Instant at, String runtimeId) {
        return new Head(0, Optional.empty(), at, runtimeId);
    }

    /** Reads the document. */
    public static Head parse(byte[] bytes) {
        return Stored.read(Keys.HEAD, () -> read(bytes));
    }

    private static Head read(byte[] bytes) {
        JsonObject json = Sealed.parseReplaceable(Keys.HEAD, bytes, UPDATED);
        json.optionalText(ERASING).ifPresent(Head::refuse);
        return new Head(
                json.integer("commit_id"),
                json.optionalText("manifest_path").map(ObjectKey::require),
                UtcTimestamp.parse(json.text(UPDATED)),
                json.optionalText("runtime_id").orElse(""),
                json.optionalInteger(FENCE).orElse(0),
                json.optionalText(NONCE),
                json.optionalText(DIGEST)
                        .filter(unused ->
                                json.fields().get(DIGEST_OF) instanceof Long of && of == json.integer("commit_id")));
    }

    /** The same with a digest of its commit. */
    public Head with(Optional<String> itsDigest) {
        return new Head(commitId, manifestPath, updatedAt, runtimeId, fence, nonce, itsDigest);
    }

    /** The digest that the next commit builds on; empty where this one has none. */
    public Optional<String> previousDigest() {
        return commitId == 0 ? Optional.of(CommitDigest.START) : digest;
    }

    /** The document. */
    public byte[] bytes() {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("commit_id", commitId);
        fields.put("manifest_path", manifestPath.orElse(null));
        fields.put(UPDATED, UtcTimestamp.format(updatedAt));
        fields.put("runtime_id", runtimeId);
        if (fence > 0) {
            fields.put(FENCE, fence);
        }
        nonce.ifPresent(text -> fields.put(NONCE, text));
        digest.ifPresent(hash -> {
            fields.put(DIGEST, hash);
            fields.put(DIGEST_OF, commitId);
        });
        return Sealed.replaceable(fields, UPDATED);
    }

    /** The same commit, to be swapped only under the given token or a larger one. */
    public Head fenced(long token) {
        return new Head(commitId, manifestPath, updatedAt, runtimeId, Math.max(fence, token), nonce, digest);
    }

    /** The same commit in another version. */
    public Head rewritten(String newNonce) {
        return new Head(commitId, manifestPath, updatedAt, runtimeId, fence, Optional.of(newNonce), digest);
    }

    /** Whether both are the same commit by the same attempt. */
    public boolean isSameCommit(Head other) {
        return commitId == other.commitId && manifestPath.equals(other.manifestPath);
    }
}
