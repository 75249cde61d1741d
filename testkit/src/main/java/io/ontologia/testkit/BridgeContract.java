package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.Bridge;
import io.ontologia.core.ChangePublisher;
import io.ontologia.core.Session;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A bridge hands over every commit in its order, at least once, whoever runs it and whatever breaks. */
public abstract class BridgeContract extends WorkerSuite {
    private final List<Long> published = new ArrayList<>();
    private final ChangePublisher publisher =
            commits -> commits.forEach(one -> published.add(one.commit().id()));

    private void commits(int from, int to) {
        try (Session session = session()) {
            IntStream.rangeClosed(from, to).forEach(i -> {
                session.ensure(new Invoice("i" + i, i));
                session.commit();
            });
        }
    }

    private Bridge bridge(ChangePublisher to) {
        return Bridge.of(session(), "test", OPTIONS, to);
    }

    private static List<Long> numbers(int from, int to) {
        return IntStream.rangeClosed(from, to).mapToObj(Long::valueOf).toList();
    }

    @Test
    void commits_are_handed_over_once_in_their_order_with_what_they_did() {
        List<String> changes = new ArrayList<>();
        commits(1, 120);
        Bridge bridge = bridge(batch -> {
            publisher.publish(batch);
            batch.forEach(one -> one.changes()
                    .forEach(change ->
                            changes.add(change.identity() + "=" + change.after().get("total"))));
        });

        var busy = bridge.step();
        bridge.step();
        var idle = bridge.step();
        commits(121, 121);
        bridge.step();

        assertThat(busy).contains(Duration.ZERO);
        assertThat(idle).contains(OPTIONS.pollInterval());
        assertThat(published).isEqualTo(numbers(1, 121));
        assertThat(changes).hasSize(121).startsWith("i1=1", "i2=2").endsWith("i121=121");
    }

    @Test
    void another_run_goes_on_where_the_one_before_stopped() {
        commits(1, 3);
        Bridge first = bridge(publisher);
        first.step();
        first.close();
        commits(4, 5);

        Bridge second = bridge(publisher);
        second.step();

        assertThat(published).isEqualTo(numbers(1, 5));
    }

    @Test
    void what_could_not_be_published_comes_again() {
        commits(1, 3);
        List<String> troubles = new ArrayList<>(List.of("down"));
        Bridge bridge = bridge(batch -> {
            if (!troubles.isEmpty()) {
                throw new IllegalStateException(troubles.remove(0));
            }
            publisher.publish(batch);
        });

        assertThatThrownBy(bridge::step).hasMessage("down");
        bridge.step();

        assertThat(published).isEqualTo(numbers(1, 3));
    }

    @Test
    void only_one_of_several_publishes_and_after_its_crash_another_goes_on() {
        commits(1, 2);
        Bridge first = bridge(publisher);
        Bridge second = bridge(publisher);

        first.step();
        commits(3, 3);
        second.step();
        List<Long> before = List.copyOf(published);
        pass(OPTIONS.claimLease());
        second.step();

        assertThat(before).isEqualTo(numbers(1, 2));
        assertThat(published).isEqualTo(numbers(1, 3));
    }

    @Test
    void the_turn_is_kept_while_it_is_used_and_survives_a_clean_up() {
        Bridge first = bridge(publisher);
        Bridge second = bridge(batch -> published.add(-1L));

        for (int i = 1; i <= 6; i++) {
            commits(i, i);
            first.step();
            second.step();
            pass(OPTIONS.claimLease().dividedBy(2));
        }
        bus().cleanup("ontologia.bridges", Instant.EPOCH.plusSeconds(1));
        commits(7, 7);
        pass(OPTIONS.claimLease());
        first.step();

        assertThat(published).isEqualTo(numbers(1, 7));
    }
}
