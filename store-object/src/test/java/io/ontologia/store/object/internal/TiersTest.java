package io.ontologia.store.object.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.store.object.internal.Tiers.Effort;
import io.ontologia.store.object.internal.layout.TypeIndex.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TiersTest {
    /** Files of one type, and how many commits were written again in all. */
    private static final class Files {
        private List<Entry> entries = new ArrayList<>();
        private long rewritten;

        void commit(long id) {
            entries.add(new Entry(id, id, "c" + id, Optional.empty()));
        }

        void compact(Effort effort) {
            for (List<Entry> run : Tiers.runs(entries, effort)) {
                long first = run.get(0).minCommitId();
                long last = run.get(run.size() - 1).maxCommitId();
                entries.removeAll(run);
                entries.add(new Entry(first, last, "s" + first + "-" + last, Optional.empty()));
                entries.sort(java.util.Comparator.comparingLong(Entry::minCommitId));
                rewritten += last - first + 1;
            }
        }

        List<Long> commits() {
            return entries.stream()
                    .map(entry -> entry.maxCommitId() - entry.minCommitId() + 1)
                    .toList();
        }
    }

    private static Files after(int commits) {
        Files files = new Files();
        for (int id = 1; id <= commits; id++) {
            files.commit(id);
        }
        return files;
    }

    @Test
    void eight_alike_become_one_and_eight_of_those_one_again() {
        Files files = after(1_000);
        files.compact(Effort.STEADY);

        assertThat(files.commits()).containsExactly(512L, 64L, 64L, 64L, 64L, 64L, 64L, 64L, 8L, 8L, 8L, 8L, 8L);
    }

    @Test
    void whoever_wants_it_thorough_gets_one_file_for_each_size() {
        Files files = after(1_000);
        files.compact(Effort.THOROUGH);

        assertThat(files.commits()).containsExactly(512L, 448L, 40L);
        assertThat(Tiers.runs(files.entries, Effort.THOROUGH)).isEmpty();
    }

    @Test
    void few_files_are_left_alone_unless_it_shall_be_thorough() {
        assertThat(Tiers.runs(after(7).entries, Effort.STEADY)).isEmpty();
        assertThat(Tiers.runs(after(2).entries, Effort.THOROUGH)).hasSize(1);
        assertThat(Tiers.runs(after(1).entries, Effort.THOROUGH)).isEmpty();
    }

    @Test
    void large_files_are_merged_by_eight_however_thorough() {
        Files files = new Files();
        for (int i = 0; i < 7; i++) {
            files.entries.add(new Entry(i * 512L + 1, i * 512L + 512, "s" + i, Optional.empty()));
        }

        assertThat(Tiers.runs(files.entries, Effort.THOROUGH)).isEmpty();
    }

    @Test
    void who_compacts_after_every_commit_rewrites_each_row_a_few_times_and_keeps_few_files() {
        for (Effort effort : Effort.values()) {
            Files files = new Files();
            int most = 0;
            for (int id = 1; id <= 10_000; id++) {
                files.commit(id);
                files.compact(effort);
                most = Math.max(most, files.entries.size());
            }

            assertThat(files.rewritten / 10_000).isLessThan(effort == Effort.STEADY ? 5 : 16);
            assertThat(most).isLessThan(effort == Effort.STEADY ? 30 : 20);
        }
    }
}
