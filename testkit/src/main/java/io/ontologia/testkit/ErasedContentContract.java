package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Erasure;
import io.ontologia.core.Maintenance;
import io.ontologia.core.NewEvent;
import io.ontologia.core.Progress;
import io.ontologia.core.Window;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** That the content of erased rows is gone from every file, on backends whose files and time a test controls. */
public abstract class ErasedContentContract extends ErasureContract {
    /** The files of the store and of its local cache that hold a text, also within compressed pages. */
    protected abstract List<String> placesOf(String text);

    /** Removes what {@code onto gc} removes, after its grace period. */
    protected abstract void collectGarbage();

    @Test
    void the_content_of_erased_rows_is_gone_after_gc() {
        fill();
        enqueue(NewEvent.of(NS, "about", Map.of("customer", KEY, "note", SECRET)));
        assertThat(placesOf(SECRET)).isNotEmpty();

        erase();
        collectGarbage();

        assertThat(placesOf(SECRET)).isEmpty();
        assertThat(placesOf("Bob")).isNotEmpty();
        assertThat(remaining()).isEmpty();
        assertThat(problems()).isEmpty();
        assertThat(keys(CUSTOMER, new Window.AsOf(1))).containsExactly("other");
    }

    @Test
    void an_erasure_that_ends_at_any_step_can_be_made_again() {
        for (int steps = 0; ; steps++) {
            fillAgain(steps);
            boolean interrupted = interruptedAfter(steps);

            boolean isThere = keys(CUSTOMER, new Window.History(0)).contains(KEY);
            assertThat(isThere || !keys(BUYS, new Window.History(0)).contains(KEY + " -> p1"))
                    .as("all rows or none, after %s steps", steps)
                    .isTrue();
            assertThat(problems()).isEmpty();
            if (isThere) {
                erase();
            }
            try (Maintenance maintenance = maintain()) {
                maintenance.finishErasures(Progress.none());
            }
            collectGarbage();
            assertThat(placesOf(SECRET)).isEmpty();
            assertThat(remaining()).isEmpty();
            if (!interrupted) {
                return;
            }
        }
    }

    private void fillAgain(int round) {
        commit(
                ALL,
                entity("Customer", KEY, Map.of("name", SECRET + " in round " + round)),
                entity("Customer", "other", Map.of("name", "Bob in round " + round)),
                entity("Product", "p1", Map.of()),
                relation("Buys", KEY, "p1", Map.of("n", (long) round)));
    }

    /** Begins an erasure that ends with an exception after so many reports of progress; false when it came to its end. */
    private boolean interruptedAfter(int steps) {
        int[] left = {steps};
        try (Maintenance maintenance = maintain()) {
            Erasure erasure = ofSecret(maintenance);
            erasure.apply(erasure.preview().token(), Map.of(), (step, done, total) -> {
                if (left[0]-- == 0) {
                    throw new IllegalStateException("interrupted at " + step);
                }
            });
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }
}
