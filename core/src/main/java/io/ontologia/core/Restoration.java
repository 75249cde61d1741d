package io.ontologia.core;

import io.ontologia.core.internal.validation.RowValues;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Brings back an earlier state, as new versions. Each method asks its session for the rows: {@link Session#preview} shows what would
 * change, and {@link Session#commit} does it, if no other commit came in between. Nothing of the history is removed.
 */
public final class Restoration {
    private final Session session;

    /** What happens to rows that later commits changed too. */
    public enum LaterChanges {
        /** The call is refused, and names the first of them. */
        REFUSE,
        /** They become as they were before the commit that is undone. */
        OVERWRITE
    }

    Restoration(Session session) {
        this.session = session;
    }

    /**
     * Asks for every row that a commit wrote to be as it was before it: rows that it inserted end, rows that it changed or ended get
     * their earlier values.
     *
     * @param cascade what happens to the relations of entities that end
     * @throws OntologiaException of kind {@link ErrorKind#NOT_FOUND} when there is no such commit, {@link ErrorKind#CONFLICT} when a
     *     later commit changed one of the rows
     */
    public void revert(long commitId, LaterChanges later, Cascade cascade) {
        long head = session.head();
        if (session.log().get(commitId).isEmpty()) {
            session.log().changes(commitId); // names the commit
        }
        List<Change> changes = session.log().diff(commitId - 1, commitId);
        if (later == LaterChanges.REFUSE) {
            requireUnchanged(commitId, head, changes);
        }
        session.ifUnchangedSince(head);
        for (Change change : changes) {
            RowRef row = ref(change);
            ask(row, change.before().map(fields -> RowValues.rowOf(row.type(), row.identity(), fields)), cascade);
        }
    }

    private static RowRef ref(Change change) {
        return new RowRef(change.type(), change.identity());
    }

    /** A migration writes new versions of rows that say the same. */
    private void requireUnchanged(long commitId, long head, List<Change> changes) {
        Set<RowRef> later = new HashSet<>();
        session.log().diff(commitId, head).forEach(change -> later.add(ref(change)));
        List<RowRef> changed =
                changes.stream().map(Restoration::ref).filter(later::contains).toList();
        if (!changed.isEmpty()) {
            RowRef first = changed.get(0);
            throw new OntologiaException(
                    ErrorKind.CONFLICT,
                    "cannot revert commit " + commitId,
                    "commit " + newest(first, commitId, head) + " changed " + first + " after it"
                            + (changed.size() == 1
                                    ? ""
                                    : ", and later commits changed " + (changed.size() - 1) + " more rows"),
                    "revert the later commits first, or overwrite what they did (--overwrite); nothing was stored",
                    Map.of("row", first.toString(), "rows", changed.size()),
                    null);
        }
    }

    private long newest(RowRef row, long after, long head) {
        for (long commit = head; commit > after; commit--) {
            try (Stream<Change> changes = session.storage().changes(commit)) {
                if (changes.anyMatch(change -> ref(change).equals(row))) {
                    return commit;
                }
            }
        }
        return head;
    }

    /**
     * Asks for rows of a type to be as they were after a commit: rows that were added since end, and all others get their earlier
     * values.
     *
     * @param filter only rows that pass it now or passed it then
     * @param asOf 0 for the time before the first commit
     * @param cascade what happens to the relations of entities that end
     */
    public void restore(TypeRef type, Optional<Filter> filter, long asOf, Cascade cascade) {
        long head = session.head();
        session.ifUnchangedSince(head);
        Set<RowRef> meant = new LinkedHashSet<>();
        try (Stream<RowRef> now = query(type, filter).refs()) {
            now.forEach(meant::add);
        }
        try (Stream<Result<Row>> then = query(type, filter).asOf(asOf).resultStream()) {
            then.forEach(result -> {
                RowRef row = new RowRef(type, result.identity());
                meant.remove(row);
                ask(row, Optional.of(result.value()), cascade);
            });
        }
        Map<RowRef, Row> others = filter.isEmpty() ? Map.of() : versions(type, meant, asOf);
        meant.forEach(row -> ask(row, Optional.ofNullable(others.get(row)), cascade));
    }

    /** Rows that pass the filter now and did not then. */
    private Map<RowRef, Row> versions(TypeRef type, Set<RowRef> wanted, long asOf) {
        Map<RowRef, Row> found = new HashMap<>();
        if (!wanted.isEmpty()) {
            try (Stream<Result<Row>> then =
                    query(type, Optional.empty()).asOf(asOf).resultStream()) {
                then.forEach(result -> {
                    RowRef row = new RowRef(type, result.identity());
                    if (wanted.contains(row)) {
                        found.put(row, result.value());
                    }
                });
            }
        }
        return found;
    }

    private Query<Row> query(TypeRef type, Optional<Filter> filter) {
        Query<Row> all =
                type.kind() == TypeKind.ENTITY ? session.entities(type.name()) : session.relations(type.name());
        return filter.map(all::where).orElse(all);
    }

    private void ask(RowRef row, Optional<Row> wanted, Cascade cascade) {
        wanted.ifPresentOrElse(session::ensure, () -> session.retract(cascade, row));
    }
}
