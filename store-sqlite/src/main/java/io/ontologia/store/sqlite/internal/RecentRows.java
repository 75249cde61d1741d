package io.ontologia.store.sqlite.internal;

import io.ontologia.core.Identity;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.DesiredRow;
import java.util.Arrays;
import java.util.List;

/**
 * The rows that this process appended to the history since the copies were last level, as hashes of 64 bits. Rows that are
 * not among them have their newest version in the copies, so a commit of other rows need not search the history. Rows that
 * were never committed may be among them, and two rows may have one hash: both cost time and change nothing.
 */
final class RecentRows {
    /** 4 MB; more rows than that are behind only for a moment. */
    private static final int MOST = 1 << 18;

    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;
    private static final long EMPTY = 0;

    private long level = -1;
    private long[] hashes = new long[1024];
    private int size;
    private boolean overflown;

    /** Notes rows that a commit is about to append while the copies are level with a row of the history. */
    void add(long atLevel, List<DesiredRow> rows) {
        if (level != atLevel) {
            level = atLevel;
            hashes = new long[1024];
            size = 0;
            overflown = false;
        }
        overflown |= size + rows.size() > MOST;
        if (!overflown) {
            rows.forEach(row -> add(hash(row.type(), row.identity())));
        }
    }

    /** Whether some of the rows may have been appended since the copies were level with a row of the history. */
    boolean mayHave(long atLevel, List<DesiredRow> rows) {
        return level != atLevel
                || overflown
                || rows.stream().anyMatch(row -> hashes[slot(hash(row.type(), row.identity()))] != EMPTY);
    }

    private void add(long hash) {
        int slot = slot(hash);
        if (hashes[slot] == EMPTY) {
            hashes[slot] = hash;
            if (++size * 2 > hashes.length) {
                long[] before = hashes;
                hashes = new long[before.length * 2];
                Arrays.stream(before).filter(known -> known != EMPTY).forEach(known -> hashes[slot(known)] = known);
            }
        }
    }

    /** Where a hash is, or would be put. */
    private int slot(long hash) {
        int slot = (int) (hash ^ (hash >>> 32)) & (hashes.length - 1);
        while (hashes[slot] != EMPTY && hashes[slot] != hash) {
            slot = (slot + 1) & (hashes.length - 1);
        }
        return slot;
    }

    private static long hash(TypeRef type, Identity identity) {
        long hash = hash(hash(FNV_OFFSET, type.kind().wireName()), type.name());
        if (identity instanceof Identity.OfEntity entity) {
            hash = hash(hash, entity.key());
        } else {
            Identity.OfRelation relation = (Identity.OfRelation) identity;
            hash = hash(hash(hash(hash, relation.leftKey()), relation.rightKey()), relation.instanceKey());
        }
        return hash == EMPTY ? 1 : hash;
    }

    private static long hash(long seed, String text) {
        long hash = seed;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * FNV_PRIME;
        }
        // Ends a text, so that the same characters in other parts give another hash.
        return (hash ^ 0x1_0000) * FNV_PRIME;
    }
}
