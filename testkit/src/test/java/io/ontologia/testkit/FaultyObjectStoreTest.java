package io.ontologia.testkit;

import static io.ontologia.testkit.ObjectStoreSuite.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.Retry;
import io.ontologia.kernel.RetryPolicy;
import io.ontologia.objectstore.DeleteOutcome;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.ListPage;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FaultyObjectStoreTest {
    private static final Fault LOSE_REPLY = new Fault.LoseReply();
    private static final FaultPlan NEVER_A_REPLY = (operation, request) -> Optional.of(LOSE_REPLY);

    private final RecordingObjectStore server = new RecordingObjectStore(ObjectStores.open("memory:"));
    private final CountingObjectStore wire = new CountingObjectStore(server);

    @Test
    void a_request_that_failed_before_it_was_sent_is_sent_again() {
        ObjectStore store = client(FaultPlan.at(1, new Fault.FailBefore()).or(FaultPlan.at(2, new Fault.Conflict())));

        PutOutcome outcome = store.putIfAbsent("k", Payload.of("x"));

        assertThat(outcome).isInstanceOf(PutOutcome.Written.class);
        assertThat(server.changes()).hasSize(1);
        assertThat(wire.total()).isEqualTo(1);
    }

    @Test
    void a_server_out_of_reach_is_unavailable_and_nothing_is_written() {
        ObjectStore store = client((operation, request) -> Optional.of(new Fault.FailBefore()));

        assertFails(ErrorKind.UNAVAILABLE, () -> store.get("k"));
        assertFails(ErrorKind.UNAVAILABLE, () -> store.put("k", Payload.of("x")));
        assertFails(ErrorKind.UNAVAILABLE, () -> store.putIfAbsent("k", Payload.of("x")));
        assertFails(ErrorKind.UNAVAILABLE, () -> store.delete("k"));

        assertThat(wire.total()).isZero();
    }

    @Test
    void a_write_whose_reply_got_lost_is_recognised_as_its_own() {
        ObjectStore store = client(FaultPlan.at(StoreOperation.PUT_IF_ABSENT, 1, LOSE_REPLY)
                .or(FaultPlan.at(StoreOperation.PUT_IF_MATCH, 1, LOSE_REPLY)));

        PutOutcome created = store.putIfAbsent("k", Payload.of("x"));
        ETag etag = ((PutOutcome.Written) created).etag();
        PutOutcome replaced = store.putIfMatch("k", Payload.of("y"), etag);

        assertThat(replaced).isInstanceOf(PutOutcome.Written.class);
        assertThat(server.changes())
                .extracting(RecordingObjectStore.Change::etag)
                .containsExactly(etag, ((PutOutcome.Written) replaced).etag());
    }

    @Test
    void a_write_whose_reply_got_lost_and_that_was_replaced_is_unknown() {
        ObjectStore other = client(FaultPlan.none());
        ObjectStore store = client(FaultPlan.at(1, LOSE_REPLY).or((operation, request) -> {
            if (request == 2) {
                other.put("k", Payload.of("theirs"));
            }
            return Optional.empty();
        }));

        PutOutcome outcome = store.putIfAbsent("k", Payload.of("ours"));

        assertThat(outcome).isInstanceOf(PutOutcome.Unknown.class);
    }

    @Test
    void a_lost_request_is_sent_again() {
        ObjectStore store = client(FaultPlan.at(1, new Fault.LoseRequest()));

        PutOutcome outcome = store.putIfAbsent("k", Payload.of("x"));

        assertThat(outcome).isInstanceOf(PutOutcome.Written.class);
        assertThat(server.changes()).hasSize(1);
    }

    @Test
    void a_late_request_arrives_after_the_requests_that_overtook_it() {
        FaultyObjectStore store = client(FaultPlan.at(1, new Fault.LandLate(2)), RetryPolicy.once());

        assertFails(ErrorKind.UNKNOWN_OUTCOME, () -> store.put("k", Payload.of("late")));
        boolean afterNone = store.get("k").isPresent();
        boolean afterOne = store.get("k").isPresent();
        boolean afterTwo = store.get("k").isPresent();

        assertThat(List.of(afterNone, afterOne, afterTwo)).containsExactly(false, false, true);
    }

    @Test
    void a_late_request_arrives_at_the_latest_when_the_test_says_so() {
        FaultyObjectStore store = client(FaultPlan.at(1, new Fault.LandLate(100)), RetryPolicy.once());
        PutOutcome outcome = store.putIfAbsent("k", Payload.of("late"));

        store.deliverLateRequests();

        assertThat(outcome).isInstanceOf(PutOutcome.Unknown.class);
        assertThat(server.get("k")).isPresent();
    }

    @Test
    void a_delete_whose_reply_got_lost_is_not_claimed() {
        ETag etag = server.put("k", Payload.of("x"));
        ObjectStore store = client(FaultPlan.at(1, LOSE_REPLY));

        DeleteOutcome outcome = store.deleteIfMatch("k", etag);

        assertThat(outcome).isInstanceOf(DeleteOutcome.Unknown.class);
        assertThat(server.get("k")).isEmpty();
    }

    @Test
    void a_delete_that_got_lost_is_sent_again() {
        ETag etag = server.put("k", Payload.of("x"));
        ObjectStore store = client(FaultPlan.at(1, new Fault.LoseRequest()));

        DeleteOutcome outcome = store.deleteIfMatch("k", etag);

        assertThat(outcome).isInstanceOf(DeleteOutcome.Deleted.class);
        assertThat(server.get("k")).isEmpty();
    }

    @Test
    void without_any_reply_writes_are_unknown_and_reads_unavailable() {
        ETag etag = server.put("k", Payload.of("x"));
        ObjectStore store = client(NEVER_A_REPLY);

        assertFails(ErrorKind.UNAVAILABLE, () -> store.get("k"));
        assertFails(ErrorKind.UNAVAILABLE, () -> store.list(ListRequest.of("")));
        assertFails(ErrorKind.UNKNOWN_OUTCOME, () -> store.put("k2", Payload.of("x")));
        assertFails(ErrorKind.UNKNOWN_OUTCOME, () -> store.delete("k2"));
        assertThat(store.putIfMatch("k", Payload.of("y"), etag)).isInstanceOf(PutOutcome.Unknown.class);
    }

    @Test
    void a_delay_passes_on_the_clock() {
        SettableClock clock = new SettableClock();
        ObjectStore store = new FaultyObjectStore(
                wire, FaultPlan.at(1, new Fault.Delay(Duration.ofSeconds(7))), clock, retry(RetryPolicy.once()));

        store.get("k");

        assertThat(clock.now()).isEqualTo(SettableClock.START.plusSeconds(7));
    }

    @Test
    void after_a_crash_nothing_is_sent_any_more_and_no_handler_of_exceptions_can_go_on() {
        ObjectStore store = client(FaultPlan.crashBefore(3));
        store.put("a", Payload.of("x"));
        store.put("b", Payload.of("x"));

        assertThatThrownBy(() -> store.put("c", Payload.of("x"))).isInstanceOf(StoreCrashed.class);
        assertThatThrownBy(() -> store.get("a"))
                .isInstanceOf(StoreCrashed.class)
                .isNotInstanceOf(Exception.class);

        assertThat(server.get("c")).isEmpty();
        assertThat(wire.total()).isEqualTo(2);
    }

    @Test
    void a_stale_list_shows_what_was_there_when_the_client_last_listed() {
        server.put("a/1", Payload.of("x"));
        server.put("b", Payload.of("x"));
        ObjectStore store = client(FaultPlan.at(StoreOperation.LIST, 1, new Fault.StaleList())
                .or(FaultPlan.at(StoreOperation.LIST, 3, new Fault.StaleList())));
        server.put("c", Payload.of("x"));

        List<String> asOpened = keys(store.list(ListRequest.of("")));
        List<String> fresh = keys(store.list(ListRequest.of("")));
        server.put("d", Payload.of("x"));
        server.delete("b");
        List<String> asLastListed = keys(store.list(ListRequest.of("")));
        List<String> freshAgain = keys(store.list(ListRequest.of("")));

        assertThat(asOpened).containsExactly("a/1", "b");
        assertThat(fresh).containsExactly("a/1", "b", "c");
        assertThat(asLastListed).containsExactly("a/1", "b", "c");
        assertThat(freshAgain).containsExactly("a/1", "c", "d");
    }

    @Test
    void a_stale_list_stays_stale_on_its_later_pages() {
        List.of("a/1", "a/2", "b", "c").forEach(key -> server.put(key, Payload.of("x")));
        ObjectStore store = client(FaultPlan.at(1, new Fault.StaleList()));
        server.put("bb", Payload.of("x"));
        ListRequest request = ListRequest.of("").foldingFolders().pageSize(2);

        ListPage first = store.list(request);
        ListPage second = store.list(request.continueAt(first.next().orElseThrow()));

        assertThat(first.groups()).containsExactly("a/");
        assertThat(keys(first)).containsExactly("b");
        assertThat(keys(second)).containsExactly("c");
        assertThat(second.next()).isEmpty();
    }

    @Test
    void closing_a_client_leaves_the_server_to_the_others() {
        FaultyObjectStore store = client(FaultPlan.none());

        store.close();

        assertFails(ErrorKind.CLOSED, () -> store.get("k"));
        assertThat(server.get("k")).isEmpty();
    }

    private FaultyObjectStore client(FaultPlan plan) {
        return new FaultyObjectStore(wire, plan);
    }

    private FaultyObjectStore client(FaultPlan plan, RetryPolicy policy) {
        return new FaultyObjectStore(wire, plan, new SettableClock(), retry(policy));
    }

    private static Retry retry(RetryPolicy policy) {
        return new Retry(policy, new SettableClock(), new SplittableRandom(0));
    }

    private static List<String> keys(ListPage page) {
        return page.objects().stream().map(ObjectSummary::key).toList();
    }
}
