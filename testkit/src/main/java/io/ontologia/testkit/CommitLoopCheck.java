package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.CommitInfo;
import io.ontologia.core.Finding;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Progress;
import io.ontologia.core.Result;
import io.ontologia.core.Session;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Compares what writers of a {@link CommitLoop} were told with what is in the store. */
public final class CommitLoopCheck {
    /** A commit that a writer was told has been made. */
    public record Ack(long commitId, String writer, long number) {}

    private CommitLoopCheck() {}

    /** Checks everything. Returns how many commits are in the store. */
    public static long check(String uri, Map<String, String> settings, List<Ack> acks) {
        try (Maintenance maintenance = Ontologia.maintain(uri, CommitLoop.options(settings))) {
            assertThat(maintenance.check(Progress.none()))
                    .as("findings, but what the next write puts right")
                    .allMatch(finding -> finding.severity() == Finding.Severity.INFO);
        }
        try (Session session = CommitLoop.open(uri, settings)) {
            List<Ack> stored = stored(session);
            assertThat(stored).as("acknowledged commits").containsAll(acks);
            assertThat(acks).extracting(Ack::commitId).doesNotHaveDuplicates();
            assertNumbersGoUpByOne(stored);
            assertWhole(session, stored);
            return stored.size();
        }
    }

    private static List<Ack> stored(Session session) {
        List<Ack> stored = new ArrayList<>();
        List<CommitInfo> log = new ArrayList<>(session.log().since(0));
        log.sort(Comparator.comparingLong(CommitInfo::id));
        for (CommitInfo commit : log) {
            assertThat(commit.id()).as("no gap").isEqualTo(stored.size() + 1L);
            stored.add(new Ack(
                    commit.id(),
                    String.valueOf(commit.metadata().get("writer")),
                    ((Number) commit.metadata().getOrDefault("number", 0L)).longValue()));
        }
        return stored;
    }

    /** Each writer adds one to what it read: a number that is missing or twice is an update that was lost. */
    private static void assertNumbersGoUpByOne(List<Ack> inOrder) {
        Map<String, Long> last = new HashMap<>();
        for (Ack commit : inOrder) {
            assertThat(commit.number()).as("%s", commit).isEqualTo(last.getOrDefault(commit.writer(), 0L) + 1);
            last.put(commit.writer(), commit.number());
        }
    }

    /** Every commit has all of its rows, and they hold its number: also the rows that all writers share. */
    private static void assertWhole(Session session, List<Ack> commits) {
        Map<Long, List<CommitLoop.Counter>> counters;
        try (Stream<Result<CommitLoop.Counter>> all =
                session.entities(CommitLoop.Counter.class).withHistory().resultStream()) {
            counters = all.collect(
                    Collectors.groupingBy(Result::commitId, Collectors.mapping(Result::value, Collectors.toList())));
        }
        Map<Long, List<CommitLoop.Last>> lasts;
        try (Stream<Result<CommitLoop.Last>> all =
                session.relations(CommitLoop.Last.class).withHistory().resultStream()) {
            lasts = all.collect(
                    Collectors.groupingBy(Result::commitId, Collectors.mapping(Result::value, Collectors.toList())));
        }
        for (Ack commit : commits) {
            assertThat(counters.remove(commit.commitId()))
                    .as("rows of %s", commit)
                    .hasSize(CommitLoop.ROWS - 1)
                    .allSatisfy(counter -> {
                        assertThat(counter.value()).isEqualTo(commit.number());
                        assertThat(counter.writer()).isEqualTo(commit.writer());
                    })
                    .filteredOn(counter -> counter.id().equals("shared"))
                    .hasSize(1);
            assertThat(lasts.remove(commit.commitId()))
                    .as("relations of %s", commit)
                    .containsExactly(new CommitLoop.Last("shared", "shared", commit.writer(), commit.number()));
        }
        assertThat(counters).isEmpty();
        assertThat(lasts).isEmpty();
    }
}
