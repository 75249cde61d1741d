package io.ontologia.nameservice;

import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What to do about active records that depend on a record that is to be retracted or purged. */
public enum Dependants {
    /**
     * Refuse the change while there are any. They are looked for before the change: a record that begins to depend on it at the
     * same time may be missed.
     */
    REFUSE,
    /** Change the record whatever depends on it. */
    IGNORE;

    /** The active records that depend on a record, by alias. Reads all records. */
    public static List<Alias> of(Nameservice names, Alias alias) {
        List<Alias> found = new ArrayList<>();
        Optional<NameQuery> next = Optional.of(NameQuery.all());
        while (next.isPresent()) {
            NameQuery asked = next.get();
            NamePage page = names.list(asked);
            page.records().stream()
                    .filter(record -> !record.isRetracted())
                    .filter(record -> record.deps().stream().anyMatch(dep -> means(dep, alias)))
                    .map(NameRecord::alias)
                    .forEach(found::add);
            next = page.next().map(asked::continueAt);
        }
        found.sort(Comparator.comparing(Alias::toString));
        return found;
    }

    private static boolean means(String dependency, Alias alias) {
        try {
            return Alias.parse(dependency).equals(alias);
        } catch (OntologiaException e) {
            return false;
        }
    }

    /**
     * Checks that no active record depends on a record.
     *
     * @param what what is to be done to it, {@code retract} or {@code purge}
     * @throws NameInUseException naming them
     */
    public static void requireNone(Nameservice names, Alias alias, String what) {
        List<Alias> dependants = of(names, alias);
        if (!dependants.isEmpty()) {
            throw new NameInUseException(alias, what, dependants);
        }
    }
}
