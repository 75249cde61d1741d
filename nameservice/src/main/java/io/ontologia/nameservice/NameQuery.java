package io.ontologia.nameservice;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.Optional;

/**
 * Which records to list, and how.
 *
 * @param type only records of this type
 * @param state only records whose {@code status.state} is this; {@code retracted} finds the retracted ones
 * @param prefix only aliases whose text starts with this, for example {@code my} or {@code vg:}; empty for all
 * @param secrets whether configs are shown in full
 * @param pageSize how many records a page holds at most, 1 to {@value #MAX_PAGE_SIZE}; pages may be shorter, also empty
 * @param continueAt the {@link NamePage#next()} of the page before this one
 */
public record NameQuery(
        Optional<EntityType> type,
        Optional<String> state,
        String prefix,
        Secrets secrets,
        int pageSize,
        Optional<String> continueAt) {
    /** The largest page. */
    public static final int MAX_PAGE_SIZE = 1000;

    /** What a listing shows of configs. */
    public enum Secrets {
        /** Only what is known to be harmless: see {@link Redaction}. */
        REDACTED,
        /** Everything. */
        SHOWN
    }

    public NameQuery {
        if (pageSize < 1 || pageSize > MAX_PAGE_SIZE) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid page size " + pageSize,
                    "a page holds 1 to " + MAX_PAGE_SIZE + " records",
                    "choose one in that range");
        }
    }

    /** All records, active and retracted, redacted, in pages of the largest size. */
    public static NameQuery all() {
        return new NameQuery(Optional.empty(), Optional.empty(), "", Secrets.REDACTED, MAX_PAGE_SIZE, Optional.empty());
    }

    /** The same, of one type. */
    public NameQuery type(EntityType wanted) {
        return new NameQuery(Optional.of(wanted), state, prefix, secrets, pageSize, continueAt);
    }

    /** The same, in one state. */
    public NameQuery state(String wanted) {
        return new NameQuery(type, Optional.of(wanted), prefix, secrets, pageSize, continueAt);
    }

    /** The same, with aliases that start so. */
    public NameQuery prefix(String start) {
        return new NameQuery(type, state, start, secrets, pageSize, continueAt);
    }

    /** The same, with configs shown as said. */
    public NameQuery secrets(Secrets shown) {
        return new NameQuery(type, state, prefix, shown, pageSize, continueAt);
    }

    /** The same, in pages of another size. */
    public NameQuery pageSize(int size) {
        return new NameQuery(type, state, prefix, secrets, size, continueAt);
    }

    /** The page after one whose {@link NamePage#next()} was this. */
    public NameQuery continueAt(String token) {
        return new NameQuery(type, state, prefix, secrets, pageSize, Optional.of(token));
    }

    /** Whether a record is among those asked for. */
    public boolean matches(NameRecord record) {
        return type.filter(wanted -> !wanted.equals(record.type())).isEmpty()
                && state.filter(wanted -> !record.state().equals(Optional.of(wanted)))
                        .isEmpty()
                && record.alias().toString().startsWith(prefix);
    }

    /** The record as this query wants to see it. */
    public NameRecord show(NameRecord record) {
        return secrets == Secrets.SHOWN ? record : record.redacted();
    }
}
