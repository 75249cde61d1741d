package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.testkit.History.Operation;
import io.ontologia.testkit.RegisterModel.CompareAndSet;
import io.ontologia.testkit.RegisterModel.Done;
import io.ontologia.testkit.RegisterModel.Mismatch;
import io.ontologia.testkit.RegisterModel.Read;
import io.ontologia.testkit.RegisterModel.Value;
import io.ontologia.testkit.RegisterModel.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LinearizabilityCheckerTest {
    private final RegisterModel model = new RegisterModel();
    private final LinearizabilityChecker<Optional<String>, RegisterModel.Call, RegisterModel.Reply> register =
            new LinearizabilityChecker<>(model);

    @Test
    void nothing_and_operations_one_after_the_other_are_linearizable() {
        assertThat(register.isLinearizable(List.of())).isTrue();
        assertThat(register.isLinearizable(List.of(
                        reads("a", null, 0, 1),
                        writes("a", "1", 2, 3),
                        reads("b", "1", 4, 5),
                        swaps("b", "1", "2", 6, 7),
                        fails("a", "1", "3", 8, 9),
                        reads("a", "2", 10, 11))))
                .isTrue();
    }

    @Test
    void operations_that_overlap_may_take_effect_in_any_order() {
        assertThat(register.isLinearizable(
                        List.of(writes("a", "1", 0, 10), reads("b", null, 1, 2), reads("b", "1", 3, 4))))
                .isTrue();
        assertThat(register.isLinearizable(
                        List.of(writes("a", "1", 0, 10), writes("b", "2", 1, 9), reads("c", "2", 11, 12))))
                .isTrue();
        assertThat(register.isLinearizable(
                        List.of(writes("a", "1", 0, 10), writes("b", "2", 1, 9), reads("c", "1", 11, 12))))
                .isTrue();
        assertThat(register.isLinearizable(
                        List.of(swaps("a", null, "1", 0, 5), fails("b", null, "2", 1, 6), reads("c", "1", 7, 8))))
                .isTrue();
    }

    @Test
    void a_read_that_misses_a_completed_write_is_not_linearizable() {
        assertThat(register.isLinearizable(List.of(writes("a", "1", 0, 1), reads("b", null, 2, 3))))
                .isFalse();
    }

    @Test
    void a_read_that_goes_back_in_time_is_not_linearizable() {
        assertThat(register.isLinearizable(
                        List.of(writes("a", "1", 0, 10), reads("b", "1", 1, 2), reads("c", null, 3, 4))))
                .isFalse();
    }

    @Test
    void a_value_that_nobody_wrote_is_not_linearizable() {
        assertThat(register.isLinearizable(List.of(writes("a", "1", 0, 5), reads("b", "9", 1, 4))))
                .isFalse();
    }

    @Test
    void two_winners_of_one_swap_are_not_linearizable() {
        assertThat(register.isLinearizable(List.of(swaps("a", null, "1", 0, 5), swaps("b", null, "2", 1, 6))))
                .isFalse();
    }

    @Test
    void a_refusal_without_a_reason_is_not_linearizable() {
        assertThat(register.isLinearizable(List.of(writes("a", "1", 0, 1), fails("b", "1", "2", 2, 3))))
                .isFalse();
    }

    @Test
    void an_unknown_outcome_may_take_effect_at_any_later_time_or_never() {
        Operation<RegisterModel.Call, RegisterModel.Reply> unknown =
                Operation.open("a", new CompareAndSet(Optional.of("0"), Optional.of("1")), 2);
        var start = writes("a", "0", 0, 1);

        assertThat(register.isLinearizable(List.of(start, unknown, reads("b", "0", 3, 4), reads("b", "0", 5, 6))))
                .isTrue();
        assertThat(register.isLinearizable(List.of(start, unknown, reads("b", "0", 3, 4), reads("b", "1", 5, 6))))
                .isTrue();
        assertThat(register.isLinearizable(List.of(start, unknown, swaps("b", "1", "2", 3, 4), reads("b", "2", 5, 6))))
                .isTrue();
    }

    @Test
    void an_unknown_outcome_explains_neither_the_past_nor_two_effects() {
        Operation<RegisterModel.Call, RegisterModel.Reply> unknown =
                Operation.open("a", new Write(Optional.of("1")), 2);

        assertThat(register.isLinearizable(List.of(reads("b", "1", 0, 1), unknown)))
                .isFalse();
        assertThat(register.isLinearizable(
                        List.of(unknown, reads("b", "1", 3, 4), writes("b", "2", 5, 6), reads("b", "1", 7, 8))))
                .isFalse();
        assertThat(register.isLinearizable(List.of(unknown, reads("b", "1", 3, 4), reads("b", null, 5, 6))))
                .isFalse();
    }

    @Test
    void a_violation_is_shown_with_the_history() {
        assertThatThrownBy(() -> register.requireLinearizable(List.of(writes("a", "1", 0, 1), reads("b", null, 2, 3))))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("[0..1] a: Write")
                .hasMessageContaining("[2..3] b: Read");
    }

    @Test
    void a_log_keeps_what_was_appended_in_one_order_for_all() {
        var log = new LinearizabilityChecker<>(new LogModel());

        assertThat(log.isLinearizable(List.of(
                        appends("a", "x", 1, 0, 9), appends("b", "y", 0, 1, 8), entries("c", 10, 11, "y", "x"))))
                .isTrue();
        assertThat(log.isLinearizable(List.of(
                        Operation.open("a", new LogModel.Append("x"), 0),
                        entries("c", 1, 2),
                        appends("b", "y", 1, 3, 4),
                        entries("c", 5, 6, "x", "y"))))
                .isTrue();
        assertThat(log.isLinearizable(List.of(
                        Operation.open("a", new LogModel.Append("x"), 0),
                        appends("b", "y", 0, 3, 4),
                        entries("c", 5, 6, "y"))))
                .isTrue();
    }

    @Test
    void a_log_that_loses_repeats_or_reorders_is_not_linearizable() {
        var log = new LinearizabilityChecker<>(new LogModel());

        assertThat(log.isLinearizable(List.of(appends("a", "x", 0, 0, 1), entries("b", 2, 3))))
                .isFalse();
        assertThat(log.isLinearizable(List.of(appends("a", "x", 0, 0, 5), appends("b", "y", 0, 1, 4))))
                .isFalse();
        assertThat(log.isLinearizable(List.of(appends("a", "x", 1, 0, 1), appends("b", "y", 0, 2, 3))))
                .isFalse();
        assertThat(log.isLinearizable(List.of(
                        appends("a", "x", 0, 0, 9),
                        appends("b", "y", 1, 0, 9),
                        entries("c", 10, 11, "x", "y"),
                        entries("c", 12, 13, "y", "x"))))
                .isFalse();
        assertThat(log.isLinearizable(
                        List.of(Operation.open("a", new LogModel.Append("x"), 0), entries("b", 1, 2, "x", "x"))))
                .isFalse();
    }

    @Test
    void it_agrees_with_trying_all_orders() {
        int[] verdicts = new int[2];
        Seeds.forEach("small histories", 3000, random -> {
            List<Operation<RegisterModel.Call, RegisterModel.Reply>> history = randomHistory(random);

            boolean explained = register.isLinearizable(history);

            assertThat(explained).as("%s", history).isEqualTo(someOrderExplains(history, model.initial()));
            verdicts[explained ? 1 : 0]++;
        });

        System.out.printf("small histories: %d linearizable, %d not%n", verdicts[1], verdicts[0]);
    }

    /** Replies that are right for a random order, one of them sometimes replaced. */
    private List<Operation<RegisterModel.Call, RegisterModel.Reply>> randomHistory(RandomGenerator random) {
        List<Operation<RegisterModel.Call, RegisterModel.Reply>> history = new ArrayList<>();
        Optional<String> state = model.initial();
        long moment = 0;
        int size = random.nextInt(1, 7);
        for (int i = 0; i < size; i++) {
            RegisterModel.Call call = randomCall(random);
            var step = model.apply(state, call);
            state = step.state();
            RegisterModel.Reply reply = random.nextInt(8) > 0
                    ? step.reply()
                    : call instanceof Read ? new Value(randomValue(random)) : new Mismatch();
            moment += 10;
            long began = moment - random.nextInt(40);
            history.add(
                    random.nextInt(5) == 0
                            ? Operation.open("p" + i, call, began)
                            : Operation.closed("p" + i, call, reply, began, moment + random.nextInt(1, 40)));
        }
        return history;
    }

    private static RegisterModel.Call randomCall(RandomGenerator random) {
        return switch (random.nextInt(3)) {
            case 0 -> new Read();
            case 1 -> new Write(randomValue(random));
            default -> new CompareAndSet(randomValue(random), randomValue(random));
        };
    }

    private static Optional<String> randomValue(RandomGenerator random) {
        int value = random.nextInt(3);
        return value == 0 ? Optional.empty() : Optional.of("" + value);
    }

    /** Tries every operation that may come next, straight from the definition. */
    private boolean someOrderExplains(
            List<Operation<RegisterModel.Call, RegisterModel.Reply>> left, Optional<String> state) {
        if (left.stream().allMatch(o -> o.reply().isEmpty())) {
            return true;
        }
        for (var candidate : left) {
            boolean anotherEndedBefore = left.stream().anyMatch(other -> other.ended() < candidate.began());
            var step = model.apply(state, candidate.call());
            if (!anotherEndedBefore
                    && candidate.reply().map(step.reply()::equals).orElse(true)) {
                var rest = new ArrayList<>(left);
                rest.remove(candidate);
                if (someOrderExplains(rest, step.state())) {
                    return true;
                }
            }
        }
        return false;
    }

    private static Operation<RegisterModel.Call, RegisterModel.Reply> reads(
            String actor, @Nullable String value, long began, long ended) {
        return Operation.closed(actor, new Read(), new Value(Optional.ofNullable(value)), began, ended);
    }

    private static Operation<RegisterModel.Call, RegisterModel.Reply> writes(
            String actor, String value, long began, long ended) {
        return Operation.closed(actor, new Write(Optional.of(value)), new Done(), began, ended);
    }

    private static Operation<RegisterModel.Call, RegisterModel.Reply> swaps(
            String actor, @Nullable String from, String to, long began, long ended) {
        return Operation.closed(
                actor, new CompareAndSet(Optional.ofNullable(from), Optional.of(to)), new Done(), began, ended);
    }

    private static Operation<RegisterModel.Call, RegisterModel.Reply> fails(
            String actor, @Nullable String from, String to, long began, long ended) {
        return Operation.closed(
                actor, new CompareAndSet(Optional.ofNullable(from), Optional.of(to)), new Mismatch(), began, ended);
    }

    private static Operation<LogModel.Call, LogModel.Reply> appends(
            String actor, String entry, int position, long began, long ended) {
        return Operation.closed(actor, new LogModel.Append(entry), new LogModel.Appended(position), began, ended);
    }

    private static Operation<LogModel.Call, LogModel.Reply> entries(
            String actor, long began, long ended, String... entries) {
        return Operation.closed(actor, new LogModel.Read(), new LogModel.Entries(List.of(entries)), began, ended);
    }
}
