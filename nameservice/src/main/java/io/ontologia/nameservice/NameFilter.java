package io.ontologia.nameservice;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * What a subscriber wants to hear of.
 *
 * @param aliases only these records; empty for all
 * @param type only records of this type
 * @param concerns only moves of these concerns; records that come and go are told anyway
 */
public record NameFilter(Set<Alias> aliases, Optional<EntityType> type, Set<Concern> concerns) {
    public NameFilter {
        aliases = Set.copyOf(aliases);
        concerns = Set.copyOf(concerns);
    }

    /** Everything. */
    public static NameFilter all() {
        return new NameFilter(Set.of(), Optional.empty(), EnumSet.allOf(Concern.class));
    }

    /** The same, of one record. */
    public NameFilter alias(Alias wanted) {
        return aliases(Set.of(wanted));
    }

    /** The same, of these records; of all when there are none. */
    public NameFilter aliases(Set<Alias> wanted) {
        return new NameFilter(wanted, type, concerns);
    }

    /** The same, of one type. */
    public NameFilter type(EntityType wanted) {
        return new NameFilter(aliases, Optional.of(wanted), concerns);
    }

    /** The same, of one concern. */
    public NameFilter concern(Concern wanted) {
        return concerns(Set.of(wanted));
    }

    /** The same, of these concerns. */
    public NameFilter concerns(Set<Concern> wanted) {
        return new NameFilter(aliases, type, wanted);
    }

    /** Whether a record is among those wanted. */
    public boolean wants(Alias name, EntityType ofType) {
        return (aliases.isEmpty() || aliases.contains(name))
                && type.filter(wanted -> !wanted.equals(ofType)).isEmpty();
    }
}
