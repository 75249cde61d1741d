package io.ontologia.core.spi;

import io.ontologia.core.Identity;
import io.ontologia.core.TypeRef;
import io.ontologia.kernel.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The digest of all rows of one type in one commit. It does not depend on the order of the rows: each row has a hash, and the
 * digest is the hash of the sorted row hashes. The format is described in {@code docs/reference/digests.md}.
 *
 * @param rows how many rows there are
 * @param sha256 the digest, in lower-case hexadecimal; empty for rows that were purged before they had one
 */
public record RowsDigest(TypeRef type, long rows, Optional<String> sha256) {
    private static final byte[] FORMAT = "ontologia-rows-1\n".getBytes(StandardCharsets.US_ASCII);
    private static final int PARALLEL_SORT = 1 << 16;

    /** Begins the digest of a type's rows. */
    public static Builder of(TypeRef type) {
        return new Builder(type);
    }

    /** The digest of one row, in hexadecimal. */
    public static String ofRow(StoredRow row) {
        Builder builder = new Builder(TypeRef.entity("Row")).add(row);
        return HexFormat.of().formatHex(builder.hashes.get(0));
    }

    /** Takes rows in any order. Used by one thread at a time. */
    public static final class Builder {
        private final TypeRef type;
        private final MessageDigest digest = Sha256.digest();
        private final List<byte[]> hashes = new ArrayList<>();
        private byte[] buffer = new byte[512];
        private int length;

        private Builder(TypeRef type) {
            this.type = type;
        }

        /** Adds a row as it is stored. */
        public Builder add(StoredRow row) {
            return add(row.identity(), row.commitId(), row.schemaVersion(), row.fieldsJson());
        }

        /** Adds a row. */
        public Builder add(Identity identity, long commitId, long schemaVersion, String fieldsJson) {
            length = 0;
            if (identity instanceof Identity.OfRelation relation) {
                text(utf8(relation.leftKey()));
                text(utf8(relation.rightKey()));
                text(utf8(relation.instanceKey()));
            } else {
                text(utf8(((Identity.OfEntity) identity).key()));
            }
            return finish(commitId, schemaVersion, utf8(fieldsJson));
        }

        /**
         * Adds a row whose texts are at hand as UTF-8.
         *
         * @param identity the key, or the left key, right key and instance key
         */
        public Builder add(List<byte[]> identity, long commitId, long schemaVersion, byte[] fieldsJson) {
            length = 0;
            identity.forEach(this::text);
            return finish(commitId, schemaVersion, fieldsJson);
        }

        /**
         * Adds a row of which only the digest is left.
         *
         * @param sha256 in hexadecimal
         */
        public Builder addErased(String sha256) {
            hashes.add(HexFormat.of().parseHex(sha256));
            return this;
        }

        private Builder finish(long commitId, long schemaVersion, byte[] fieldsJson) {
            number(commitId, Long.BYTES);
            number(schemaVersion, Long.BYTES);
            text(fieldsJson);
            digest.update(buffer, 0, length);
            hashes.add(digest.digest());
            return this;
        }

        private void text(byte[] bytes) {
            number(bytes.length, Integer.BYTES);
            reserve(bytes.length);
            System.arraycopy(bytes, 0, buffer, length, bytes.length);
            length += bytes.length;
        }

        private void number(long value, int bytes) {
            reserve(bytes);
            for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
                buffer[length++] = (byte) (value >>> shift);
            }
        }

        private void reserve(int more) {
            if (buffer.length - length < more) {
                buffer = Arrays.copyOf(buffer, Math.max(2 * buffer.length, length + more));
            }
        }

        private static byte[] utf8(String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }

        /** The digest of the rows so far. */
        public RowsDigest build() {
            byte[][] sorted = hashes.toArray(byte[][]::new);
            if (sorted.length < PARALLEL_SORT) {
                Arrays.sort(sorted, Arrays::compareUnsigned);
            } else {
                Arrays.parallelSort(sorted, Arrays::compareUnsigned);
            }
            digest.update(FORMAT);
            for (byte[] hash : sorted) {
                digest.update(hash);
            }
            return new RowsDigest(
                    type, sorted.length, Optional.of(HexFormat.of().formatHex(digest.digest())));
        }
    }
}
