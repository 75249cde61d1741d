package io.ontologia.store.object.internal;

import io.ontologia.store.object.internal.layout.TypeIndex;
import java.util.ArrayList;
import java.util.List;

/**
 * Which files to merge so that there are few, and each row is rewritten seldom: eight neighbours of about the same size
 * become one, and eight of those one again. Of n files about {@code 7 log8 n} are left.
 */
final class Tiers {
    private static final int FAN_IN = 8;

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
    static List<List<TypeIndex.Entry>> runs(List<TypeIndex.Entry> byCommit) {
        List<Group> groups = new ArrayList<>();
        for (TypeIndex.Entry entry : byCommit) {
            groups.add(new Group(List.of(entry), entry.maxCommitId() - entry.minCommitId() + 1));
            while (lastAreAlike(groups)) {
                merge(groups.subList(groups.size() - FAN_IN, groups.size()));
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

    private static void merge(List<Group> alike) {
        List<TypeIndex.Entry> entries =
                alike.stream().flatMap(group -> group.entries().stream()).toList();
        long weight = alike.stream().mapToLong(Group::weight).sum();
        alike.clear();
        alike.add(new Group(entries, weight));
    }
}
