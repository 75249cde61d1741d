package io.ontologia.objectstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.internal.directory.DirectoryObjectStore;
import io.ontologia.testkit.CrashingFileSystem;
import io.ontologia.testkit.CrashingFileSystem.Effect;
import io.ontologia.testkit.SettableClock;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every single operation on the disk fails once, at every change of an object. */
class DirectoryObjectStoreFaultIT {
    @TempDir(factory = MemoryDisk.class)
    private Path folder;

    /** How an operation fails. */
    private enum Fault {
        /** It does not happen. */
        REFUSED,
        /** It happens, and is reported as failed. */
        LOST_REPLY,
        /** It does not happen, nor does anything after it. */
        FROM_THEN_ON
    }

    @ParameterizedTest
    @EnumSource
    void an_operation_that_is_refused_leaves_the_old_object_or_is_reported_as_unknown(DirectoryChange change) {
        assertEveryStep(change, Fault.REFUSED);
    }

    @ParameterizedTest
    @EnumSource
    void an_operation_whose_reply_is_lost_never_leads_to_a_wrong_outcome(DirectoryChange change) {
        assertEveryStep(change, Fault.LOST_REPLY);
    }

    @ParameterizedTest
    @EnumSource
    void a_disk_that_fails_from_some_operation_on_never_leads_to_a_wrong_outcome(DirectoryChange change) {
        assertEveryStep(change, Fault.FROM_THEN_ON);
    }

    private void assertEveryStep(DirectoryChange change, Fault fault) {
        int step = 0;
        boolean reached;
        do {
            step++;
            Path root = folder.resolve(fault + "-" + step);
            String etag = change.prepare(root);
            FailingHook hook = new FailingHook(fault, step);
            try {
                assertOneStep(change, root, etag, hook);
            } catch (AssertionError e) {
                throw new AssertionError(fault + " at step " + step + ", " + hook.struckAt, e);
            }
            reached = hook.count >= step;
        } while (reached);
        System.out.printf("%s: %s at each of %d steps%n", change, fault, step - 1);
        assertThat(step).as("steps").isGreaterThan(10);
    }

    private void assertOneStep(DirectoryChange change, Path root, String etag, FailingHook hook) {
        Path crashing = new CrashingFileSystem(FileSystems.getDefault(), hook).path(root);
        // A clock that is behind makes the store choose the time of the new file itself.
        try (ObjectStore store =
                new DirectoryObjectStore(crashing, new SettableClock(SettableClock.START), new SplittableRandom(1))) {
            hook.counting = true;
            assertOutcome(change, root, etag, hook, store);
            hook.counting = false;
            assertThat(store.get(DirectoryChange.KEY).map(StoredObject::etag))
                    .isEqualTo(DirectoryAftermath.of(root).object().map(StoredObject::etag));
            DirectoryAftermath.of(root).assertUsable(etag);
            store.put(DirectoryChange.KEY, Payload.of("the store goes on"));
        }
    }

    private static void assertOutcome(
            DirectoryChange change, Path root, String etag, FailingHook hook, ObjectStore store) {
        String outcome;
        try {
            outcome = change.run(store, etag);
        } catch (OntologiaException e) {
            if (e.kind() == ErrorKind.UNKNOWN_OUTCOME) {
                outcome = "unknown";
            } else {
                assertThat(e.kind()).as(e.getMessage()).isEqualTo(ErrorKind.UNAVAILABLE);
                assertThat(e.getMessage()).containsAnyOf("No space left on device", "Read-only file system");
                outcome = "unavailable";
            }
        }
        DirectoryAftermath aftermath = DirectoryAftermath.of(root);
        switch (outcome) {
            case "unavailable" -> aftermath.assertOld(change, etag);
            case "unknown" -> {
                aftermath.assertOldOrNew(change, etag);
                if (hook.fault == Fault.REFUSED) {
                    assertThat(aftermath.isAsAfter(change))
                            .as("unknown only once it may have landed")
                            .isTrue();
                }
            }
            case "refused" -> fail("refused although the condition held");
            default -> {
                assertThat(aftermath.isAsAfter(change))
                        .as("the new state is there")
                        .isTrue();
                assertThat(aftermath.object().map(o -> o.etag().value()).orElse("deleted"))
                        .isEqualTo(outcome);
            }
        }
        if (hook.struckAt.startsWith("force")) {
            assertThat(outcome).as("outcome of what was not flushed").isIn("unavailable", "unknown");
        }
        if (hook.fault == Fault.REFUSED) {
            assertThat(aftermath.temporaryFiles()).isEmpty();
        }
        aftermath.removeTemporaryFiles();
    }

    private static final class FailingHook implements CrashingFileSystem.Hook {
        private final Fault fault;
        private final int step;
        private boolean counting;
        private int count;
        private String struckAt = "";

        FailingHook(Fault fault, int step) {
            this.fault = fault;
            this.step = step;
        }

        @Override
        public void before(Effect effect, String what) throws IOException {
            if (!counting) {
                return;
            }
            count++;
            boolean now = fault == Fault.FROM_THEN_ON ? count >= step : fault == Fault.REFUSED && count == step;
            if (now) {
                strike(what);
            }
        }

        @Override
        public void after(Effect effect, String what) throws IOException {
            if (counting && fault == Fault.LOST_REPLY && count == step) {
                strike(what);
            }
        }

        private void strike(String what) throws IOException {
            if (struckAt.isEmpty()) {
                struckAt = what;
            }
            if (what.startsWith("write") || what.startsWith("force")) {
                throw new IOException("No space left on device");
            }
            throw new FileSystemException(what, null, "Read-only file system");
        }
    }
}
