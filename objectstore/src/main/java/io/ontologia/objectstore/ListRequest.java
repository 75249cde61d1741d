package io.ontologia.objectstore;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.Optional;

/**
 * Which keys to list.
 *
 * @param prefix what the keys start with; empty for all
 * @param startAfter keys up to and including this one are left out; a group is left out when its prefix sorts at or
 *     before it, unless it still holds a key after it
 * @param delimiter whether keys that go on with a {@code /} after the prefix are folded into one group each
 * @param pageSize how many keys and groups a page holds at most, 1 to {@value #MAX_PAGE_SIZE}
 * @param continueAt the {@link ListPage#next()} of the page before this one
 */
public record ListRequest(
        String prefix, Optional<String> startAfter, Delimiter delimiter, int pageSize, Optional<String> continueAt) {
    /** The largest page. */
    public static final int MAX_PAGE_SIZE = 1000;

    /** How a listing treats folders. */
    public enum Delimiter {
        /** Every key below the prefix. */
        NONE,
        /** Only the keys right below the prefix, and one group for each folder there. */
        SLASH
    }

    public ListRequest {
        ObjectKey.requirePrefix(prefix);
        if (pageSize < 1 || pageSize > MAX_PAGE_SIZE) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid page size " + pageSize,
                    "a page holds 1 to " + MAX_PAGE_SIZE + " keys",
                    "choose one in that range");
        }
    }

    /** Every key that starts with the prefix, in pages of the largest size. */
    public static ListRequest of(String prefix) {
        return new ListRequest(prefix, Optional.empty(), Delimiter.NONE, MAX_PAGE_SIZE, Optional.empty());
    }

    /** The same, with folders folded into groups. */
    public ListRequest foldingFolders() {
        return new ListRequest(prefix, startAfter, Delimiter.SLASH, pageSize, continueAt);
    }

    /** The same, from after the given key on. */
    public ListRequest startAfter(String key) {
        return new ListRequest(prefix, Optional.of(key), delimiter, pageSize, continueAt);
    }

    /** The same, in pages of another size. */
    public ListRequest pageSize(int size) {
        return new ListRequest(prefix, startAfter, delimiter, size, continueAt);
    }

    /** The page after one whose {@link ListPage#next()} was this. */
    public ListRequest continueAt(String token) {
        return new ListRequest(prefix, startAfter, delimiter, pageSize, Optional.of(token));
    }
}
