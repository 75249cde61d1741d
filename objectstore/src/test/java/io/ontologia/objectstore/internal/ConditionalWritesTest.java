package io.ontologia.objectstore.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Retry;
import io.ontologia.kernel.RetryPolicy;
import io.ontologia.objectstore.DeleteOutcome;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import io.ontologia.objectstore.StoredObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConditionalWritesTest {
    private static final ETag OLD = new ETag("old");
    private static final ETag NEW = new ETag("new");
    private static final ETag OTHER = new ETag("other");
    private static final Payload OURS = Payload.of("ours");
    private static final Attempt.PreconditionFailed FAILED = new Attempt.PreconditionFailed();
    private static final Attempt.TryAgain CONFLICT = new Attempt.TryAgain();
    private static final Attempt.Landed LANDED = new Attempt.Landed(NEW);

    private final OntologiaException lost = failure(ErrorKind.UNKNOWN_OUTCOME, "no reply");
    private final Attempt.NoReply noReply = new Attempt.NoReply(lost);
    private final Attempt.NotSent notSent = new Attempt.NotSent(failure(ErrorKind.UNAVAILABLE, "no route"));
    private final ConditionalWrites writes = new ConditionalWrites(new Retry(
            new RetryPolicy(4, Duration.ZERO, Duration.ZERO, Duration.ofSeconds(10)),
            new StillClock(),
            new SplittableRandom(1)));

    @Test
    void without_a_lost_reply_every_answer_is_taken_at_its_word() {
        assertThat(create(script(LANDED), nothingRead())).isEqualTo(new PutOutcome.Written(NEW));
        assertThat(create(script(FAILED), nothingRead())).isEqualTo(new PutOutcome.Refused());
        assertThat(replace(script(LANDED), nothingRead())).isEqualTo(new PutOutcome.Written(NEW));
        assertThat(replace(script(FAILED), nothingRead())).isEqualTo(new PutOutcome.Refused());
    }

    @Test
    void a_request_that_did_nothing_is_repeated_and_leaves_nothing_unknown() {
        assertThat(create(script(notSent, CONFLICT, LANDED), nothingRead())).isEqualTo(new PutOutcome.Written(NEW));
        assertThat(create(script(CONFLICT, notSent, FAILED), nothingRead())).isEqualTo(new PutOutcome.Refused());
    }

    @Test
    void a_request_that_did_nothing_to_the_end_is_an_error_and_not_an_unknown_outcome() {
        assertThatThrownBy(() -> create(script(notSent, CONFLICT, notSent, notSent), nothingRead()))
                .isSameAs(notSent.reason());
        assertThatThrownBy(() -> create(script(CONFLICT, CONFLICT, CONFLICT, CONFLICT), nothingRead()))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.UNAVAILABLE));
    }

    @Test
    void after_a_lost_reply_the_repeated_request_may_land() {
        assertThat(create(script(noReply, LANDED), nothingRead())).isEqualTo(new PutOutcome.Written(NEW));
        assertThat(replace(script(noReply, notSent, CONFLICT, LANDED), nothingRead()))
                .isEqualTo(new PutOutcome.Written(NEW));
    }

    @Test
    void after_a_lost_reply_a_failed_condition_is_our_own_doing_if_the_bytes_are_ours() {
        assertThat(create(script(noReply, FAILED), script(object("ours", NEW)))).isEqualTo(new PutOutcome.Written(NEW));
        assertThat(replace(script(noReply, FAILED), script(object("ours", NEW))))
                .isEqualTo(new PutOutcome.Written(NEW));
    }

    @Test
    void after_a_lost_reply_somebody_elses_object_leaves_the_outcome_unknown() {
        assertThat(create(script(noReply, FAILED), script(object("theirs", OTHER))))
                .isEqualTo(new PutOutcome.Unknown(lost));
        assertThat(create(script(noReply, FAILED), script(Optional.empty()))).isEqualTo(new PutOutcome.Unknown(lost));
        assertThat(replace(script(noReply, FAILED), script(object("theirs", OTHER))))
                .isEqualTo(new PutOutcome.Unknown(lost));
        assertThat(replace(script(noReply, FAILED), script(Optional.empty()))).isEqualTo(new PutOutcome.Unknown(lost));
    }

    @Test
    void a_version_that_is_still_the_expected_one_is_tried_again() {
        PutOutcome outcome = replace(script(noReply, FAILED, LANDED), script(object("before", OLD)));

        assertThat(outcome).isEqualTo(new PutOutcome.Written(NEW));
    }

    @Test
    void when_the_attempts_are_used_up_the_object_decides_whether_it_is_written_or_unknown() {
        List<Attempt.OfPut> never = List.of(noReply, noReply, notSent, CONFLICT);

        assertThat(replace(script(never), script(object("ours", NEW)))).isEqualTo(new PutOutcome.Written(NEW));
        assertThat(replace(script(never), script(object("before", OLD)))).isEqualTo(new PutOutcome.Unknown(lost));
        assertThat(replace(script(never), script(object("theirs", OTHER)))).isEqualTo(new PutOutcome.Unknown(lost));
        assertThat(create(script(never), script(Optional.empty()))).isEqualTo(new PutOutcome.Unknown(lost));
    }

    @Test
    void a_read_back_that_fails_leaves_the_outcome_unknown() {
        assertThat(create(script(noReply, FAILED), () -> {
                    throw failure(ErrorKind.UNAVAILABLE, "no route");
                }))
                .isEqualTo(new PutOutcome.Unknown(lost));
    }

    @Test
    void an_error_that_repeating_cannot_cure_is_thrown_unless_a_reply_was_lost_before() {
        OntologiaException denied = failure(ErrorKind.UNAVAILABLE, "access denied");
        Supplier<Attempt.OfPut> first = () -> noReply;
        Supplier<Attempt.OfPut> then = () -> {
            throw denied;
        };
        Supplier<Supplier<Attempt.OfPut>> requests = script(first, then);

        assertThatThrownBy(() -> create(then, nothingRead())).isSameAs(denied);
        assertThat(create(() -> requests.get().get(), nothingRead())).isEqualTo(new PutOutcome.Unknown(lost));
    }

    @Test
    void a_payload_in_a_file_is_compared_too(@TempDir Path dir) throws IOException {
        byte[] bytes = new byte[200_001];
        new SplittableRandom(7).nextBytes(bytes);
        byte[] different = bytes.clone();
        different[200_000]++;
        Payload file = Payload.of(Files.write(dir.resolve("f"), bytes));

        assertThat(writes.putIfAbsent(file, script(noReply, FAILED), script(object(bytes, NEW))))
                .isEqualTo(new PutOutcome.Written(NEW));
        assertThat(writes.putIfAbsent(file, script(noReply, FAILED), script(object(different, NEW))))
                .isEqualTo(new PutOutcome.Unknown(lost));
        assertThat(writes.putIfAbsent(file, script(noReply, FAILED), script(object("short", NEW))))
                .isEqualTo(new PutOutcome.Unknown(lost));
    }

    @Test
    void a_delete_is_settled_by_what_is_there() {
        Attempt.Removed removed = new Attempt.Removed();
        Optional<ETag> same = Optional.of(OLD);

        assertThat(delete(script(removed), nothingRead())).isEqualTo(new DeleteOutcome.Deleted());
        assertThat(delete(script(CONFLICT, FAILED), nothingRead())).isEqualTo(new DeleteOutcome.Refused());
        assertThat(delete(script(noReply, removed), script(same))).isEqualTo(new DeleteOutcome.Deleted());
        assertThat(delete(script(noReply), script(Optional.empty()))).isEqualTo(new DeleteOutcome.Unknown(lost));
        assertThat(delete(script(noReply), script(Optional.of(OTHER)))).isEqualTo(new DeleteOutcome.Unknown(lost));
        assertThat(delete(script(noReply, FAILED), script(same, Optional.empty())))
                .isEqualTo(new DeleteOutcome.Unknown(lost));
        assertThat(delete(script(noReply, noReply, notSent, CONFLICT), script(same, same, same)))
                .isEqualTo(new DeleteOutcome.Unknown(lost));
        assertThatThrownBy(() -> delete(script(notSent, notSent, notSent, notSent), nothingRead()))
                .isSameAs(notSent.reason());
    }

    private PutOutcome create(Supplier<Attempt.OfPut> send, Supplier<Optional<StoredObject>> readBack) {
        return writes.putIfAbsent(OURS, send, readBack);
    }

    private PutOutcome replace(Supplier<Attempt.OfPut> send, Supplier<Optional<StoredObject>> readBack) {
        return writes.putIfMatch(OURS, OLD, send, readBack);
    }

    private DeleteOutcome delete(Supplier<Attempt.OfDelete> send, Supplier<Optional<ETag>> current) {
        return writes.deleteIfMatch(OLD, send, current);
    }

    /** Gives the answers in order, and fails when asked once more. */
    @SafeVarargs
    private static <T> Supplier<T> script(T... answers) {
        Deque<T> left = new ArrayDeque<>();
        for (T answer : answers) {
            left.add(answer);
        }
        return left::removeFirst;
    }

    private static <T> Supplier<T> script(List<? extends T> answers) {
        Deque<T> left = new ArrayDeque<>(answers);
        return left::removeFirst;
    }

    private static <T> Supplier<T> nothingRead() {
        return script(List.of());
    }

    private static Optional<StoredObject> object(String text, ETag etag) {
        return object(text.getBytes(StandardCharsets.UTF_8), etag);
    }

    private static Optional<StoredObject> object(byte[] bytes, ETag etag) {
        return Optional.of(new StoredObject(bytes, etag, bytes.length, Instant.EPOCH, Instant.EPOCH));
    }

    private static OntologiaException failure(ErrorKind kind, String cause) {
        return new OntologiaException(kind, "cannot write", cause, "");
    }

    private static final class StillClock implements Clock {
        @Override
        public Instant now() {
            return Instant.EPOCH;
        }

        @Override
        public long monotonicNanos() {
            return 0;
        }

        @Override
        public void sleep(Duration duration) {}
    }
}
