package io.ontologia.store.object.internal;

import io.ontologia.store.object.internal.layout.TypeIndex;
import java.util.ArrayList;
import java.util.List;

/**
 * Which files to merge so that there are few, and each row is rewritten seldom. Eight neighbours of about the same size
 * become one, and eight of those one again; of n files about {@code 7 log8 n} are left. Size is counted in commits.
 */
final class Tiers {
    private static final int FAN_IN = 8;
    /** Below this one files are so small that a reader suffers more from their number than a writer from merging them. */
    private static final int LARGE_TIER = 3;

    /** How much work to do. */
    enum Effort {
        /** As much as pays off when it is done again and again. */
        STEADY,
        /** Neighbours that are small and alike become one, however few: about {@code log8 n} files are left. */
        THOROUGH
    }

    private Tiers() {}

    private record Group(List<TypeIndex.Entry> entries, long weight) {
        int tier() {
            int tier = 0;
            for (long rest = weight; rest >= FAN_IN; rest /= FAN_IN) {
                tier++;
            }
            return tier;
        }
    }

    /** The runs of neighbours that become one file each. */
    static List<List<TypeIndex.Entry>> runs(List<TypeIndex.Entry> byCommit, Effort effort) {
        List<Group> groups = new ArrayList<>();
        for (TypeIndex.Entry entry : byCommit) {
            groups.add(new Group(List.of(entry), entry.maxCommitId() - entry.minCommitId() + 1));
            while (lastAreAlike(groups)) {
                merge(groups.subList(groups.size() - FAN_IN, groups.size()));
            }
        }
        for (int i = groups.size() - 1; effort == Effort.THOROUGH && i > 0; i--) {
            int tier = groups.get(i).tier();
            if (tier < LARGE_TIER && groups.get(i - 1).tier() == tier) {
                merge(groups.subList(i - 1, i + 1));
            }
        }
        return groups.stream()
                .map(Group::entries)
                .filter(entries -> entries.size() > 1)
                .toList();
    }

    private static boolean lastAreAlike(List<Group> groups) {
        return groups.size() >= FAN_IN
                && groups.subList(groups.size() - FAN_IN, groups.size()).stream()
                                .mapToInt(Group::tier)
                                .distinct()
                                .count()
                        == 1;
    }

    /** Replaces neighbours, in the list they are a part of, by one. */
    private static void merge(List<Group> alike) {
        List<TypeIndex.Entry> entries =
                alike.stream().flatMap(group -> group.entries().stream()).toList();
        long weight = alike.stream().mapToLong(Group::weight).sum();
        alike.clear();
        alike.add(new Group(entries, weight));
    }
}
