package io.ontologia.core.internal.evolution;

import io.ontologia.core.OntologyType;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.StepExpression;
import io.ontologia.core.TypeRef;
import io.ontologia.core.Upgraders;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** How rows of every version of one type become rows of one of its versions. Immutable. */
public final class Ways {
    /** How the value of a field relates to what stands under that name in rows of other versions. */
    public enum Stability {
        /** It is the same. */
        SAME,
        /** It is the same number, an integer there and a float here. */
        NUMBER,
        /** It may be another one. */
        CHANGED
    }

    private final long version;
    private final long current;
    private final Map<Long, Optional<Way>> byVersion = new TreeMap<>();
    private final Map<Long, OntologyType> described = new LinkedHashMap<>();

    private Ways(long version, long current) {
        this.version = version;
        this.current = current;
    }

    /**
     * The ways to one version of a type.
     *
     * @param type the type in that version, with its defaults
     * @param stored every version of the type
     */
    public static Ways to(OntologyType type, long version, List<SchemaVersion> stored, Upgraders upgraders) {
        Map<Long, SchemaVersion> known = new TreeMap<>();
        stored.forEach(one -> known.put(one.version(), one));
        Ways ways = new Ways(version, known.keySet().stream().reduce(version, Math::max));
        known.forEach((number, one) -> ways.described.put(number, one.describe()));
        Map<Long, Transition> transitions = new LinkedHashMap<>();
        for (long from : known.keySet()) {
            transition(type.ref(), from, known, ways.described, upgraders)
                    .ifPresent(found -> transitions.put(from, found));
        }
        for (long from : known.keySet()) {
            ways.byVersion.put(
                    from,
                    from <= version ? up(type, from, version, transitions) : down(type, from, version, transitions));
        }
        return ways;
    }

    private static Optional<Transition> transition(
            TypeRef type,
            long from,
            Map<Long, SchemaVersion> known,
            Map<Long, OntologyType> described,
            Upgraders upgraders) {
        if (upgraders.missing(type, from, from + 1).isEmpty()) {
            return Optional.of(new Transition.ByCode(type, from, upgraders));
        }
        SchemaVersion next = known.get(from + 1);
        OntologyType before = described.get(from);
        OntologyType after = described.get(from + 1);
        if (next == null || before == null || after == null) {
            return Optional.empty();
        }
        return (next.upgrade().isPresent() ? StoredUpgrade.steps(next) : Evolution.unrecorded(before, after))
                .map(steps -> new Transition.BySteps(steps, before));
    }

    private static Optional<Way> up(OntologyType type, long from, long to, Map<Long, Transition> transitions) {
        List<Transition> all = new ArrayList<>();
        for (long number = from; number < to; number++) {
            Transition one = transitions.get(number);
            if (one == null) {
                return Optional.empty();
            }
            all.add(one);
        }
        return Optional.of(new Way(type, from, to, all));
    }

    private static Optional<Way> down(OntologyType type, long from, long to, Map<Long, Transition> transitions) {
        List<Transition> all = new ArrayList<>();
        for (long number = from - 1; number >= to; number--) {
            long dropping = number;
            Optional<Transition> back = transitions.get(number) instanceof Transition.BySteps steps
                    ? steps.reversed(field -> filling(type, field, dropping, to, transitions))
                    : Optional.empty();
            if (back.isEmpty()) {
                return Optional.empty();
            }
            all.add(back.get());
        }
        return Optional.of(new Way(type, from, to, all));
    }

    /**
     * What a program with an older version shows for a field that was dropped later: nothing when it does not know the field, else
     * its default or null.
     */
    private static Optional<StepExpression> filling(
            OntologyType type, String field, long dropping, long to, Map<Long, Transition> transitions) {
        String name = field;
        for (long number = dropping - 1; number >= to; number--) {
            if (transitions.get(number) instanceof Transition.BySteps steps) {
                if (steps.adds(name)) {
                    return Optional.of(StepExpression.constant(null));
                }
                name = steps.nameBefore(name);
            }
        }
        return type.field(name)
                .filter(known ->
                        known.defaultValue().isPresent() || known.type().nullable())
                .map(known -> StepExpression.constant(
                        known.defaultValue().isPresent()
                                ? known.defaultValue().get().json()
                                : null));
    }

    /** The version that the ways lead to. */
    public long version() {
        return version;
    }

    /** The newest version of the type. */
    public long current() {
        return current;
    }

    /** The way from a version; empty when there is none. */
    public Optional<Way> from(long other) {
        return byVersion.getOrDefault(other, Optional.empty());
    }

    /** Every other version of the type. */
    public List<Long> others() {
        return byVersion.keySet().stream().filter(other -> other != version).toList();
    }

    /** The versions that no way leads from. */
    public List<Long> unreachable() {
        return byVersion.keySet().stream()
                .filter(other -> from(other).isEmpty())
                .toList();
    }

    /** Whether every row of a version that a way leads from arrives. */
    public boolean isPlain() {
        return byVersion.values().stream().flatMap(Optional::stream).allMatch(Way::isPlain);
    }

    /** How the value of a field relates to what stands under its name in rows of any version that a way leads from. */
    public Stability stability(String field) {
        Set<Stability> found = EnumSet.noneOf(Stability.class);
        byVersion.forEach((number, way) -> {
            OntologyType origin = described.get(number);
            if (way.isPresent() && origin != null) {
                found.add(way.get().stability(field, origin));
            }
        });
        return found.contains(Stability.CHANGED)
                ? Stability.CHANGED
                : found.contains(Stability.NUMBER) ? Stability.NUMBER : Stability.SAME;
    }
}
