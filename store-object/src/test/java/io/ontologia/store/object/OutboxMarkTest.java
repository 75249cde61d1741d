package io.ontologia.store.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.CommitResult;
import io.ontologia.core.EntityType;
import io.ontologia.core.EventOptions;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Model;
import io.ontologia.core.NewEvent;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Outbox;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.spi.ClaimRequest;
import io.ontologia.core.spi.EventStore;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import io.ontologia.objectstore.StoredObject;
import io.ontologia.testkit.ForwardingObjectStore;
import io.ontologia.testkit.SettableClock;
import io.ontologia.testkit.StoreOperation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where there is no mark nobody looks for events of commits, so there is one before the first such commit. */
class OutboxMarkTest {
    private static final EntityType NOTE = new EntityType("Note", List.of(FieldDef.of("id", Primitive.STR)), "id");

    /** Loses the first write of the mark, and all events: as far as others can see, who wrote them died after the head. */
    private static final class Losing extends ForwardingObjectStore {
        private int marks = 1;

        Losing(ObjectStore target) {
            super(target);
        }

        @Override
        protected <T> T around(StoreOperation operation, Supplier<T> request) {
            return request.get();
        }

        @Override
        public PutOutcome putIfAbsent(String key, Payload payload) {
            boolean lost = key.startsWith("events/") || (key.equals("meta/outbox.json") && marks-- > 0);
            return lost ? new PutOutcome.Unknown(unavailable()) : super.putIfAbsent(key, payload);
        }

        private static OntologiaException unavailable() {
            return new OntologiaException(ErrorKind.UNAVAILABLE, "no reply", "the network is down", "wait");
        }
    }

    private final SettableClock clock = new SettableClock();
    private final ObjectStore server = ObjectStores.open("memory:", clock);
    private final Session session = open(new Losing(server));

    private Session open(ObjectStore store) {
        return Ontologia.open(
                TestStoreProvider.uriOf(store),
                SessionOptions.defaults().storage(StorageOptions.defaults().clock(clock)),
                Model.of(NOTE));
    }

    @AfterEach
    void close() {
        session.close();
    }

    private CommitResult commit() {
        return session.commit(
                Map.of(), Outbox.of(NewEvent.of("shop", "order", Map.of()).identity("e", clock.now())));
    }

    private List<String> claimedElsewhere() {
        try (Session other = open(server)) {
            EventStore bus = other.storage().events(EventOptions.defaults());
            ClaimRequest request = new ClaimRequest(
                    "shop", "worker", List.of(new ClaimRequest.Subscription("handler", Set.of("order"), 10)));
            return bus.claim(request).stream().map(claim -> claim.event().id()).toList();
        }
    }

    @Test
    void a_commit_with_events_is_not_made_before_the_mark_is_there() {
        session.ensure(new Row.OfEntity("Note", "n", Map.of()));

        assertThatThrownBy(this::commit)
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.UNAVAILABLE));
        assertThat(session.head()).isZero();
        assertThat(claimedElsewhere()).isEmpty();

        assertThat(commit()).isInstanceOf(CommitResult.Committed.class);
        assertThat(claimedElsewhere()).containsExactly("e");
    }

    @Test
    void a_mark_beyond_the_head_of_a_restored_store_hides_no_events_of_later_commits() {
        clock.advance(Duration.ofMinutes(1));
        StoredObject first;
        try (Session writer = open(server)) {
            writer.ensure(new Row.OfEntity("Note", "a", Map.of()));
            writer.commit();
            first = server.get("meta/head.json").orElseThrow();
            for (String key : List.of("b", "c", "d")) {
                writer.ensure(new Row.OfEntity("Note", key, Map.of()));
                writer.commit(
                        Map.of(),
                        Outbox.of(NewEvent.of("shop", "other", Map.of()).identity(key, clock.now())));
            }
            writer.storage().events(EventOptions.defaults()).cleanup("shop", clock.now());
        }
        server.put("meta/head.json", Payload.of(first.bytes()));
        clock.advance(Duration.ofMinutes(1));

        try (Session later = open(new Losing(server))) {
            later.ensure(new Row.OfEntity("Note", "n", Map.of()));
            later.commit(
                    Map.of(), Outbox.of(NewEvent.of("shop", "order", Map.of()).identity("e", clock.now())));
        }

        assertThat(claimedElsewhere()).containsExactly("e");
    }

    @Test
    void a_store_that_began_anew_gets_its_mark_again() {
        session.ensure(new Row.OfEntity("Note", "a", Map.of()));
        session.commit();
        session.ensure(new Row.OfEntity("Note", "b", Map.of()));
        assertThatThrownBy(this::commit).isInstanceOf(OntologiaException.class);
        commit();
        server.list(ListRequest.of("")).objects().forEach(object -> server.delete(object.key()));
        open(server).close();
        clock.advance(Duration.ofMinutes(1));

        session.ensure(new Row.OfEntity("Note", "c", Map.of()));
        assertThat(commit()).isInstanceOf(CommitResult.Committed.class);

        assertThat(claimedElsewhere()).containsExactly("e");
    }
}
