package io.ontologia.objectstore.internal.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.DeleteOutcome;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStoreOptions;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import io.ontologia.objectstore.StoredObject;
import io.ontologia.testkit.S3Server;
import io.ontologia.testkit.SettableClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connections that break at the worst moment, on real sockets to a real server. */
class S3LostReplyIT {
    private static S3Server server;
    private static ObjectStore others;

    private CuttingProxy proxy;
    private ObjectStore store;
    private String key;

    @BeforeAll
    static void startServer() {
        server = S3Server.start();
        server.createBucket("wire");
        others = server.open("s3://wire");
    }

    @AfterAll
    static void stopServer() {
        others.close();
        server.close();
    }

    @BeforeEach
    void openThroughProxy() throws IOException {
        proxy = new CuttingProxy(server.endpoint());
        store = ObjectStores.open(
                "s3://wire",
                ObjectStoreOptions.defaults()
                        .clock(new SettableClock())
                        .s3(server.options().endpoint(proxy.endpoint())));
        key = "port-" + proxy.endpoint().getPort();
        others.delete(key);
    }

    @AfterEach
    void close() {
        store.close();
        proxy.close();
    }

    @Test
    void a_creation_whose_reply_was_lost_is_recognized_as_written() {
        proxy.loseReplies(1);

        PutOutcome outcome = store.putIfAbsent(key, Payload.of("attempt 1"));

        assertThat(stored().text()).isEqualTo("attempt 1");
        assertThat(outcome).isEqualTo(new PutOutcome.Written(stored().etag()));
    }

    @Test
    void a_replacement_whose_reply_was_lost_is_recognized_as_written() {
        ETag before = others.put(key, Payload.of("start"));
        proxy.loseReplies(1);

        PutOutcome outcome = store.putIfMatch(key, Payload.of("attempt 1"), before);

        assertThat(stored().text()).isEqualTo("attempt 1");
        assertThat(outcome).isEqualTo(new PutOutcome.Written(stored().etag()));
    }

    @Test
    void a_replacement_is_recognized_even_when_the_replies_to_its_repetitions_are_lost_too() {
        ETag before = others.put(key, Payload.of("start"));
        proxy.loseReplies(3);

        PutOutcome outcome = store.putIfMatch(key, Payload.of("attempt 1"), before);

        assertThat(outcome).isEqualTo(new PutOutcome.Written(stored().etag()));
    }

    @Test
    void a_request_that_never_arrived_is_sent_again() {
        ETag before = others.put(key, Payload.of("start"));
        proxy.loseRequests(1);

        PutOutcome outcome = store.putIfMatch(key, Payload.of("attempt 1"), before);

        assertThat(stored().text()).isEqualTo("attempt 1");
        assertThat(outcome).isEqualTo(new PutOutcome.Written(stored().etag()));
    }

    @Test
    void a_write_that_landed_and_was_replaced_before_anybody_could_look_is_unknown_and_not_refused() {
        proxy.afterLostReply(() -> others.put(key, Payload.of("somebody else's")));
        proxy.loseReplies(1);

        PutOutcome outcome = store.putIfAbsent(key, Payload.of("attempt 1"));

        assertUnknown(outcome);
        assertThat(stored().text()).isEqualTo("somebody else's");
    }

    @Test
    void a_write_of_which_nothing_is_heard_again_is_unknown() {
        proxy.loseAllReplies();

        PutOutcome outcome = store.putIfAbsent(key, Payload.of("attempt 1"));

        assertUnknown(outcome);
        assertThat(stored().text()).isEqualTo("attempt 1");
    }

    @Test
    void a_loser_stays_refused_when_no_reply_is_lost() {
        others.put(key, Payload.of("start"));

        PutOutcome outcome = store.putIfAbsent(key, Payload.of("attempt 1"));

        assertThat(outcome).isInstanceOf(PutOutcome.Refused.class);
    }

    @Test
    void a_conditional_delete_whose_reply_was_lost_is_unknown_once_the_object_is_gone() {
        ETag etag = others.put(key, Payload.of("start"));
        proxy.loseReplies(1);

        DeleteOutcome outcome = store.deleteIfMatch(key, etag);

        assertThat(outcome).isInstanceOf(DeleteOutcome.Unknown.class);
        assertThat(others.get(key)).isEmpty();
    }

    @Test
    void a_conditional_delete_that_never_arrived_is_sent_again() {
        ETag etag = others.put(key, Payload.of("start"));
        proxy.loseRequests(1);

        DeleteOutcome outcome = store.deleteIfMatch(key, etag);

        assertThat(outcome).isInstanceOf(DeleteOutcome.Deleted.class);
        assertThat(others.get(key)).isEmpty();
    }

    @Test
    void unconditional_writes_are_repeated_until_confirmed() {
        proxy.loseReplies(3);
        ETag etag = store.put(key, Payload.of("put"));
        assertThat(stored().etag()).isEqualTo(etag);

        proxy.loseReplies(3);
        store.delete(key);
        assertThat(others.get(key)).isEmpty();
    }

    @Test
    void unconditional_writes_that_are_never_confirmed_are_reported_as_open() {
        proxy.loseAllReplies();

        assertFails(ErrorKind.UNKNOWN_OUTCOME, () -> store.put(key, Payload.of("put")));
        assertFails(ErrorKind.UNKNOWN_OUTCOME, () -> store.delete(key));
        assertFails(ErrorKind.UNKNOWN_OUTCOME, () -> store.deleteAll(List.of(key)));
        assertFails(ErrorKind.UNAVAILABLE, () -> store.get(key));
    }

    @Test
    void reads_that_break_off_are_repeated_from_the_start(@TempDir Path dir) throws IOException {
        byte[] large = new byte[1 << 20];
        Arrays.fill(large, (byte) 'x');
        others.put(key, Payload.of(large));

        proxy.tearReplies(2);
        byte[] read = store.get(key).orElseThrow().bytes();
        proxy.tearReplies(2);
        long downloaded = store.download(key, dir.resolve("copy")).orElseThrow().size();

        assertThat(read).isEqualTo(large);
        assertThat(downloaded).isEqualTo(large.length);
        assertThat(Files.readAllBytes(dir.resolve("copy"))).isEqualTo(large);
    }

    private StoredObject stored() {
        return others.get(key).orElseThrow();
    }

    private static void assertUnknown(PutOutcome outcome) {
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        PutOutcome.Unknown.class,
                        unknown -> assertThat(unknown.reason().kind()).isEqualTo(ErrorKind.UNKNOWN_OUTCOME));
    }

    private static void assertFails(ErrorKind kind, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(kind));
    }
}
