package io.ontologia.nameservice;

import io.ontologia.kernel.OntologiaException;
import java.util.List;
import java.util.Optional;

/**
 * One page of a listing.
 *
 * @param records those that match
 * @param unreadable what lies where a record should be and cannot be read, whether it would match or not: a listing neither fails
 *     because of one bad record nor hides it
 * @param next what to ask for to get the following page; empty after the last one
 */
public record NamePage(List<NameRecord> records, List<Unreadable> unreadable, Optional<String> next) {
    public NamePage {
        records = List.copyOf(records);
        unreadable = List.copyOf(unreadable);
    }

    /**
     * Something that cannot be read as a record.
     *
     * @param place where it is, for people
     * @param reason what is wrong with it
     */
    public record Unreadable(String place, OntologiaException reason) {}
}
