package io.ontologia.core;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which commits {@link CommitLog#find} lists. Immutable: each method returns another filter, and a commit passes when it passes
 * all parts.
 *
 * @param after only commits after this one; 0 for all
 * @param upTo only this commit and earlier ones
 * @param from only commits made at this time or later
 * @param until only commits made at this time or earlier
 * @param author only commits of this author: the whole name, or the part of it before {@code @}
 * @param metadata only commits whose metadata has these values
 * @param types only commits that wrote rows of one of these types; empty for all
 * @param row only commits that wrote this row, which must be of one of the types
 * @param limit at most so many, the newest ones
 */
public record CommitFilter(
        long after,
        OptionalLong upTo,
        Optional<Instant> from,
        Optional<Instant> until,
        Optional<String> author,
        Map<String, @Nullable Object> metadata,
        Set<TypeRef> types,
        Optional<Identity> row,
        OptionalLong limit) {

    private static final CommitFilter ALL = new CommitFilter(
            0,
            OptionalLong.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Map.of(),
            Set.of(),
            Optional.empty(),
            OptionalLong.empty());

    public CommitFilter {
        metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
        types = Set.copyOf(types);
        if (after < 0 || upTo.orElse(0) < 0 || limit.orElse(0) < 0) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT, "invalid filter of commits", "a number is negative", "use 0 or more");
        }
        if (row.isPresent()) {
            TypeKind kind = row.get() instanceof Identity.OfEntity ? TypeKind.ENTITY : TypeKind.RELATION;
            if (types.isEmpty() || types.stream().anyMatch(type -> type.kind() != kind)) {
                throw new OntologiaException(
                        ErrorKind.INVALID_INPUT,
                        "invalid filter of commits",
                        "'" + row.get() + "' is the key of one " + kind.wireName() + ", whose type must be given",
                        "give its type");
            }
        }
    }

    /** Every commit. */
    public static CommitFilter all() {
        return ALL;
    }

    /** Only commits after this one. */
    public CommitFilter after(long commitId) {
        return new CommitFilter(commitId, upTo, from, until, author, metadata, types, row, limit);
    }

    /** Only this commit and earlier ones. */
    public CommitFilter upTo(long commitId) {
        return new CommitFilter(after, OptionalLong.of(commitId), from, until, author, metadata, types, row, limit);
    }

    /** Only commits made at this time or later. */
    public CommitFilter from(Instant time) {
        return new CommitFilter(after, upTo, Optional.of(time), until, author, metadata, types, row, limit);
    }

    /** Only commits made at this time or earlier. */
    public CommitFilter until(Instant time) {
        return new CommitFilter(after, upTo, from, Optional.of(time), author, metadata, types, row, limit);
    }

    /** Only commits of this author: the whole name, or the part of it before {@code @}. */
    public CommitFilter author(String name) {
        return new CommitFilter(after, upTo, from, until, Optional.of(name), metadata, types, row, limit);
    }

    /** Only commits whose metadata has this value, and those given before. */
    public CommitFilter metadata(String key, @Nullable Object value) {
        Map<String, @Nullable Object> more = new LinkedHashMap<>(metadata);
        more.put(key, value);
        return new CommitFilter(after, upTo, from, until, author, more, types, row, limit);
    }

    /** Only commits that wrote rows of one of these types. */
    public CommitFilter types(Set<TypeRef> some) {
        return new CommitFilter(after, upTo, from, until, author, metadata, some, row, limit);
    }

    /** Only commits that wrote this row. */
    public CommitFilter row(TypeRef type, Identity identity) {
        return new CommitFilter(after, upTo, from, until, author, metadata, Set.of(type), Optional.of(identity), limit);
    }

    /** At most so many, the newest ones. */
    public CommitFilter limit(long count) {
        return new CommitFilter(after, upTo, from, until, author, metadata, types, row, OptionalLong.of(count));
    }

    /** Whether more than its place in the log decides whether a commit passes. */
    boolean looksIntoCommits() {
        return author.isPresent() || !metadata.isEmpty() || !types.isEmpty();
    }

    /** Whether a commit has the author and the metadata. */
    boolean describes(CommitInfo commit) {
        return author.map(name -> isBy(commit, name)).orElse(true)
                && metadata.entrySet().stream()
                        .allMatch(wanted -> commit.metadata().containsKey(wanted.getKey())
                                && Objects.equals(commit.metadata().get(wanted.getKey()), wanted.getValue()));
    }

    private static boolean isBy(CommitInfo commit, String name) {
        return commit.author()
                .filter(author -> author.equals(name) || author.startsWith(name + "@"))
                .isPresent();
    }
}
