package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("it sets the property that every randomized test reads")
class SeedsTest {

    @Test
    void a_failure_names_the_seed_that_replays_it() {
        List<Long> drawn = new ArrayList<>();

        AssertionError failure = assertThrows(
                AssertionError.class,
                () -> Seeds.forEach("example", 10, random -> {
                    drawn.add(random.nextLong());
                    assertThat(drawn).hasSizeLessThan(4);
                }));

        String seed = String.valueOf(failure.getMessage()).replaceAll("(?s).*-Dontologia.seed=(\\d+).*", "$1");
        List<Long> replayed = new ArrayList<>();
        System.setProperty(Seeds.PROPERTY, seed);
        try {
            Seeds.forEach("example", 10, random -> replayed.add(random.nextLong()));
        } finally {
            System.clearProperty(Seeds.PROPERTY);
        }

        assertThat(replayed).containsExactly(drawn.get(3));
    }

    @Test
    void runs_as_often_as_asked() {
        List<Long> drawn = new ArrayList<>();

        Seeds.forEach("example", 25, random -> drawn.add(random.nextLong()));

        assertThat(drawn).hasSize(25).doesNotHaveDuplicates();
    }

    @Test
    void checked_exceptions_fail_the_run_too() {
        assertThatThrownBy(() -> Seeds.forEach("example", 1, random -> {
                    throw new java.io.IOException("disk");
                }))
                .isInstanceOf(AssertionError.class)
                .hasRootCauseMessage("disk");
    }
}
