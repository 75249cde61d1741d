package io.ontologia.nameservice;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.testkit.ChildJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Processes that push to one record in one folder at the same time. */
class NameserviceProcessesIT {
    private static final Alias DB = Alias.parse("mydb");
    private static final int PROCESSES = 3;
    private static final int PUSHES = 60;

    @TempDir
    private Path folder;

    @TempDir
    private Path temporary;

    @ParameterizedTest
    @EnumSource(Layout.class)
    void each_watermark_is_won_once_and_counters_equal_the_accepted_pushes(Layout layout) throws Exception {
        String uri = "file://" + folder + "?layout=" + layout;
        Queue<String> said = new ConcurrentLinkedQueue<>();
        try (Nameservice names = Nameservices.open(uri)) {
            names.create(NewRecord.ledger(DB));
            List<ChildJvm> children = new ArrayList<>();
            for (int i = 0; i < PROCESSES; i++) {
                children.add(new ChildJvm(Pusher.class, "128m", temporary, said::add, uri, "p" + i));
            }
            for (ChildJvm child : children) {
                assertThat(child.await()).isZero();
            }

            NameRecord after = names.lookup(DB).orElseThrow();
            for (Concern concern : Concern.values()) {
                List<String> won = said.stream()
                        .filter(line -> line.startsWith(concern + " "))
                        .toList();
                long first = concern == Concern.STATUS ? 1 : 0;
                assertThat(won).as("each watermark once").doesNotHaveDuplicates();
                assertThat(after.concern(concern).watermark()).isEqualTo(first + won.size());
            }
        }
    }

    /** Pushes to all concerns in turn, and says which watermarks it won. */
    static final class Pusher {
        public static void main(String[] arguments) {
            try (Nameservice names = Nameservices.open(arguments[0])) {
                for (int i = 0; i < PUSHES; i++) {
                    Concern concern = List.of(Concern.values()).get(i % 4);
                    ConcernValue current = names.concern(DB, concern).orElseThrow();
                    ConcernValue next = current.next(ConcernPayload.of(
                            Map.of("state", "ready", "by", arguments[1], "t", current.watermark() + 1)));
                    PushOutcome outcome = names.push(DB, concern, current, next);
                    if (outcome instanceof PushOutcome.Updated) {
                        System.out.println(concern + " " + next.watermark());
                    } else if (!(outcome instanceof PushOutcome.Conflict conflict)
                            || conflict.actual().watermark() <= current.watermark()) {
                        throw new IllegalStateException("a loser must see a newer value: " + outcome);
                    }
                }
            }
        }
    }
}
