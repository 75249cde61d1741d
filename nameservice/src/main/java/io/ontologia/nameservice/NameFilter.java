package io.ontologia.nameservice;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * What a subscriber wants to hear of.
 *
 * @param alias only this record
 * @param type only records of this type
 * @param concerns only moves of these concerns; records that come and go are told anyway
 */
public record NameFilter(Optional<Alias> alias, Optional<EntityType> type, Set<Concern> concerns) {
    public NameFilter {
        concerns = Set.copyOf(concerns);
    }

    /** Everything. */
    public static NameFilter all() {
        return new NameFilter(Optional.empty(), Optional.empty(), EnumSet.allOf(Concern.class));
    }

    /** The same, of one record. */
    public NameFilter alias(Alias wanted) {
        return new NameFilter(Optional.of(wanted), type, concerns);
    }

    /** The same, of one type. */
    public NameFilter type(EntityType wanted) {
        return new NameFilter(alias, Optional.of(wanted), concerns);
    }

    /** The same, of one concern. */
    public NameFilter concern(Concern wanted) {
        return new NameFilter(alias, type, Set.of(wanted));
    }

    /** Whether a record is among those wanted. */
    public boolean wants(Alias name, EntityType ofType) {
        return alias.filter(wanted -> !wanted.equals(name)).isEmpty()
                && type.filter(wanted -> !wanted.equals(ofType)).isEmpty();
    }
}
