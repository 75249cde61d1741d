package io.ontologia.store.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.HeadMovedException;
import io.ontologia.core.LeaseLostException;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.WriteLease;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.kernel.JsonObject;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.Payload;
import io.ontologia.testkit.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * The holder of a lease is stopped before each single request, for longer than its lease lasts, or until an operator broke the
 * lock. Its commit is then refused, unless it was visible before.
 */
class FencedCommitsTest {
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final EntityType NOTE =
            new EntityType("Note", List.of(FieldDef.of("id", Primitive.STR), FieldDef.of("by", Primitive.STR)), "id");

    private final SettableClock clock = new SettableClock();
    private ObjectStore server = ObjectStores.open("memory:", clock);

    private SessionOptions options(String name) {
        return SessionOptions.defaults()
                .storage(StorageOptions.defaults().clock(clock))
                .runtimeId(name);
    }

    private Session open(ObjectStore store, String name) {
        return Ontologia.open(TestStoreProvider.uriOf(store), options(name), Model.of(NOTE));
    }

    private void write(String by) {
        try (Session session = open(server, by)) {
            session.ensure(new Row.OfEntity("Note", "a", Map.of("by", by)));
            session.commit(Map.of("by", by));
        }
    }

    /** The writers of all commits, oldest first, read from the objects themselves. */
    private List<String> log() {
        List<String> writers = new ArrayList<>();
        Optional<String> path = json("meta/head.json").optionalText("manifest_path");
        while (path.isPresent()) {
            JsonObject manifest = json(path.get());
            writers.add(0, manifest.object("metadata").text("by"));
            path = manifest.optionalText("parent_manifest_path");
        }
        return writers;
    }

    private JsonObject json(String key) {
        return JsonObject.parse(key, server.get(key).orElseThrow().bytes());
    }

    /** One commit under a lease that is stopped before its n-th request. */
    private boolean stoppedBefore(int request, Runnable meanwhile) {
        server = ObjectStores.open("memory:", clock);
        write("first");
        StoppingStore client = new StoppingStore(server);
        try (Session holder = open(client, "holder")) {
            WriteLease lease = holder.lock().acquire();
            holder.find("Note", "a");
            holder.ensure(new Row.OfEntity("Note", "a", Map.of("by", "holder")));
            client.before(request, meanwhile);
            try {
                holder.commit(Map.of("by", "holder"));
            } catch (LeaseLostException e) {
                holder.discard();
            }
            boolean stopped = client.wasStopped();
            client.before(-1, () -> {});
            lease.close();
            return stopped;
        }
    }

    @Test
    void a_holder_that_was_stopped_does_not_commit_on_what_another_writer_wrote() {
        int refused = 0;
        int request = 0;
        while (stoppedBefore(request, () -> {
            clock.advance(TTL.plusSeconds(1));
            write("other");
        })) {
            assertThat(log())
                    .as("stopped before request " + request)
                    .isIn(List.of(List.of("first", "other"), List.of("first", "holder", "other")));
            refused += log().contains("holder") ? 0 : 1;
            request++;
        }

        assertThat(refused).isGreaterThan(3);
        assertThat(log()).containsExactly("first", "holder");
    }

    @Test
    void a_holder_whose_lock_was_broken_commits_nothing_from_then_on() {
        int refused = 0;
        int request = 0;
        List<String> atBreak = new ArrayList<>();
        while (stoppedBefore(request, () -> {
            try (Maintenance operator = Ontologia.maintain(TestStoreProvider.uriOf(server), options("operator"))) {
                operator.lock().breakLock(operator.lock().holder().orElseThrow().breakToken());
            }
            atBreak.clear();
            atBreak.addAll(log());
        })) {
            assertThat(log()).as("stopped before request " + request).isEqualTo(atBreak);
            refused += atBreak.contains("holder") ? 0 : 1;
            request++;
        }

        assertThat(refused).isGreaterThan(3);
    }

    @Test
    void a_holder_whose_lock_was_damaged_and_replaced_commits_nothing_from_then_on() {
        int refused = 0;
        int request = 0;
        List<String> atBreak = new ArrayList<>();
        while (stoppedBefore(request, () -> {
            server.put("meta/locks/ontology_write.json", Payload.of("{"));
            try (Maintenance operator = Ontologia.maintain(TestStoreProvider.uriOf(server), options("operator"))) {
                operator.lock()
                        .replaceDamaged(operator.lock().damage().orElseThrow().breakToken());
            }
            atBreak.clear();
            atBreak.addAll(log());
        })) {
            assertThat(log()).as("stopped before request " + request).isEqualTo(atBreak);
            refused += atBreak.contains("holder") ? 0 : 1;
            request++;
        }

        assertThat(refused).isGreaterThan(3);
        write("next");
        assertThat(log()).endsWith("next");
    }

    @Test
    void a_commit_after_a_named_head_that_was_stopped_before_any_request_does_not_follow_another_one() {
        int refused = 0;
        boolean stopped = true;
        for (int request = 0; stopped; request++) {
            server = ObjectStores.open("memory:", clock);
            write("first");
            StoppingStore client = new StoppingStore(server);
            try (Session writer = open(client, "writer")) {
                writer.ensure(new Row.OfEntity("Note", "a", Map.of("by", "writer")));
                client.before(request, () -> {
                    clock.advance(TTL.plusSeconds(1));
                    write("other");
                });
                try {
                    writer.commitAfter(1, Map.of("by", "writer"));
                } catch (HeadMovedException e) {
                    refused++;
                    writer.discard();
                }
                stopped = client.wasStopped();
                client.before(-1, () -> {});
            }
            assertThat(log())
                    .as("stopped before request " + request)
                    .isIn(List.of(
                            List.of("first", "other"),
                            List.of("first", "writer", "other"),
                            List.of("first", "writer")));
        }

        assertThat(refused).isGreaterThan(3);
    }

    @Test
    void a_break_that_is_stopped_before_any_request_leaves_one_of_two_states() {
        for (int request = 0; request < 6; request++) {
            server = ObjectStores.open("memory:", clock);
            write("first");
            StoppingStore client = new StoppingStore(server);
            try (Session holder = open(server, "holder");
                    Maintenance operator = Ontologia.maintain(TestStoreProvider.uriOf(client), options("operator"))) {
                WriteLease lease = holder.lock().acquire();
                String token = operator.lock().holder().orElseThrow().breakToken();
                client.before(request, () -> {
                    throw new IllegalStateException("the operator's process died");
                });
                boolean broken = true;
                try {
                    operator.lock().breakLock(token);
                } catch (IllegalStateException e) {
                    broken = false;
                }
                client.before(-1, () -> {});
                holder.ensure(new Row.OfEntity("Note", "a", Map.of("by", "holder")));
                boolean committed = true;
                try {
                    holder.commit(Map.of("by", "holder"));
                } catch (LeaseLostException e) {
                    committed = false;
                    holder.discard();
                }
                lease.close();

                assertThat(committed).as("stopped before request " + request).isEqualTo(!broken);
                write("next");
                assertThat(log()).endsWith("next").hasSize(committed ? 3 : 2);
            }
        }
    }

    @Test
    void the_head_keeps_the_fields_of_the_specification_beside_its_fence() {
        try (Session holder = open(server, "holder")) {
            holder.lock().acquire();
            clock.advance(TTL);
            write("other");
        }

        JsonObject head = json("meta/head.json");
        assertThat(head.integer("commit_id")).isEqualTo(1);
        assertThat(head.text("manifest_path")).startsWith("commits/1-");
        assertThat(head.text("runtime_id")).isEqualTo("other");
        assertThat(head.integer("fence")).isGreaterThan(1);
    }
}
