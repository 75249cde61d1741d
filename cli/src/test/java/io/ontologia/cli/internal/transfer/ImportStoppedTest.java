package io.ontologia.cli.internal.transfer;

import static io.ontologia.cli.Workspace.customer;
import static io.ontologia.cli.Workspace.product;
import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.Backend;
import io.ontologia.cli.OntoRun;
import io.ontologia.cli.Workspace;
import io.ontologia.core.Session;
import io.ontologia.kernel.Clock;
import io.ontologia.testkit.SettableClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An import that is stopped between its check and its commit, for longer than its lock lasts. */
class ImportStoppedTest {
    @TempDir
    Path folder;

    private Workspace shop() {
        return Workspace.shop(folder, Backend.FOLDER);
    }

    private OntoRun importing(Workspace shop, Path input, Runnable meanwhile) {
        return OntoRun.in(Map.of())
                .with(new StoppedInCommit(Workspace.START.plus(Duration.ofMinutes(4)), meanwhile))
                .run(
                        "import",
                        "--input",
                        input.toString(),
                        "--apply",
                        "--on-conflict",
                        "upsert",
                        "--precondition",
                        "if_commit_id:1",
                        "--storage-uri",
                        shop.uri());
    }

    @Test
    void a_precondition_that_no_longer_holds_is_a_conflict() {
        Workspace shop = shop();
        Path input = shop.file("in.jsonl", customer("c1", "Alice", "Platinum", "32", "[]") + "\n");

        OntoRun run =
                importing(shop, input, () -> shop.ensure("meanwhile", customer("c1", "Alice", "Silver", "32", "[]")));

        assertThat(run).returns(6, OntoRun::exitCode);
        assertThat(run.err()).contains("entity Customer 'c1': commit 5 wrote it last, not commit 1");
        assertThat(shop.onto("query", "entities", "Customer", "--json").out())
                .contains("Silver")
                .doesNotContain("Platinum");
    }

    @Test
    void a_precondition_that_still_holds_lets_the_import_pass() {
        Workspace shop = shop();
        Path input = shop.file("in.jsonl", customer("c1", "Alice", "Platinum", "32", "[]") + "\n");

        OntoRun run = importing(shop, input, () -> shop.ensure("meanwhile", product("p9", "Other")));

        assertThat(run).as(run.err()).returns(0, OntoRun::exitCode);
        assertThat(shop.onto("query", "entities", "Customer", "--json").out()).contains("Platinum");
    }

    /** Lets something happen, and a minute pass, when a commit first looks at the time. */
    private static final class StoppedInCommit implements Clock {
        private final SettableClock time;
        private final Runnable meanwhile;
        private boolean stopped;

        StoppedInCommit(Instant start, Runnable meanwhile) {
            this.time = new SettableClock(start);
            this.meanwhile = meanwhile;
        }

        private void stop() {
            if (!stopped && isInCommit()) {
                stopped = true;
                time.advance(Duration.ofMinutes(1));
                meanwhile.run();
            }
        }

        /** The trial store, in which rows are compared, is no object store. */
        private static boolean isInCommit() {
            return StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                    .walk(frames -> frames.map(
                                    frame -> frame.getDeclaringClass().getName() + "#" + frame.getMethodName())
                            .toList())
                    .containsAll(java.util.List.of(
                            Session.class.getName() + "#commit",
                            "io.ontologia.store.object.internal.ObjectStorage#commit"));
        }

        @Override
        public synchronized Instant now() {
            stop();
            return time.now();
        }

        @Override
        public synchronized long monotonicNanos() {
            stop();
            return time.monotonicNanos();
        }

        @Override
        public void sleep(Duration duration) {
            time.sleep(duration);
        }
    }
}
