package io.ontologia.core.spi;

import io.ontologia.core.TypeRef;
import io.ontologia.kernel.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.HexFormat;

/**
 * What is kept of a version of a row that was erased: enough to compute the digest of its commit, and nothing of its content.
 *
 * @param sha256 the digest of the row, as {@code docs/reference/digests.md} describes it
 * @param erasedBy the commit that records the erasure
 */
public record ErasedRow(TypeRef type, String sha256, long erasedBy) {
    private static final byte[] FORMAT = "ontologia-erased-1\n".getBytes(StandardCharsets.US_ASCII);

    public ErasedRow {
        if (!sha256.matches("[0-9a-f]{64}")) {
            throw new IllegalArgumentException("not a SHA-256: '" + sha256 + "'");
        }
    }

    /** The hash that the record of an erasure has for the rows of one type, in any order. */
    public static String hashOfAll(Collection<String> rowHashes) {
        MessageDigest digest = Sha256.digest();
        digest.update(FORMAT);
        rowHashes.stream().sorted().forEach(hash -> digest.update(HexFormat.of().parseHex(hash)));
        return HexFormat.of().formatHex(digest.digest());
    }
}
