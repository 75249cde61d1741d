package io.ontologia.nameservice.internal.object;

import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.Layout;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * One of the objects that a record is spread over. The authority says whether the record exists and whether it is retracted; the
 * others, its satellites, hold one concern each.
 *
 * @param suffix what its key ends with
 * @param concerns what it holds
 * @param role whether it is the authority
 */
record Part(String suffix, List<Concern> concerns, Role role) {
    enum Role {
        AUTHORITY,
        SATELLITE
    }

    /** Where records of version 1 are, in every layout. */
    static final String LEGACY_SUFFIX = ".json";

    private static final Part INDEX = satellite(Concern.INDEX);
    private static final List<Part> OF_A = List.of(new Part(LEGACY_SUFFIX, List.of(Concern.values()), Role.AUTHORITY));
    private static final List<Part> OF_B = List.of(
            new Part(LEGACY_SUFFIX, List.of(Concern.HEAD, Concern.STATUS, Concern.CONFIG), Role.AUTHORITY), INDEX);
    private static final List<Part> OF_C = List.of(
            new Part(".status.json", List.of(Concern.STATUS), Role.AUTHORITY),
            satellite(Concern.HEAD),
            INDEX,
            satellite(Concern.CONFIG));

    private static final List<String> SUFFIXES = Stream.of(Layout.values())
            .flatMap(layout -> of(layout).stream())
            .map(Part::suffix)
            .distinct()
            .sorted(Comparator.comparing(String::length).reversed())
            .toList();

    /** The parts of a layout, the authority first. */
    static List<Part> of(Layout layout) {
        return switch (layout) {
            case A -> OF_A;
            case B -> OF_B;
            case C -> OF_C;
        };
    }

    /** The part that says whether a record exists. */
    static Part authority(Layout layout) {
        return of(layout).get(0);
    }

    /** What the keys of all parts end with, in all layouts, the longest first. */
    static List<String> suffixes() {
        return SUFFIXES;
    }

    /** What the keys of authorities end with, in all layouts. */
    static List<String> authoritySuffixes() {
        return Stream.of(Layout.values())
                .map(layout -> authority(layout).suffix())
                .distinct()
                .toList();
    }

    boolean isAuthority() {
        return role == Role.AUTHORITY;
    }

    private static Part satellite(Concern concern) {
        return new Part("." + concern.wireName() + ".json", List.of(concern), Role.SATELLITE);
    }
}
