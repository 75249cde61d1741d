package io.ontologia.store.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeSpec.Primitive;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import io.ontologia.testkit.ForwardingObjectStore;
import io.ontologia.testkit.SettableClock;
import io.ontologia.testkit.StoreOperation;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A store that refuses the swap of a head that did not change, as some gateways do, causes a conflict. */
class RefusedHeadTest {
    private static final Model MODEL =
            Model.of(new EntityType("Note", List.of(FieldDef.of("id", Primitive.STR)), "id"));

    private final SettableClock clock = new SettableClock();
    private final ObjectStore server = ObjectStores.open("memory:", clock);
    private final RefusingStore refusing = new RefusingStore(server);

    private static final class RefusingStore extends ForwardingObjectStore {
        boolean refuses;

        RefusingStore(ObjectStore target) {
            super(target);
        }

        @Override
        protected <T> T around(StoreOperation operation, Supplier<T> request) {
            return request.get();
        }

        @Override
        public PutOutcome putIfMatch(String key, Payload payload, ETag etag) {
            return refuses && key.equals("meta/head.json")
                    ? new PutOutcome.Refused()
                    : super.putIfMatch(key, payload, etag);
        }
    }

    private List<String> commits() {
        return server.list(ListRequest.of("commits/")).objects().stream()
                .map(object -> object.key())
                .toList();
    }

    @Test
    void nothing_is_stored_and_nothing_is_left_behind() {
        try (Session session = Ontologia.open(
                TestStoreProvider.uriOf(refusing),
                SessionOptions.defaults().storage(StorageOptions.defaults().clock(clock)),
                MODEL)) {
            session.ensure(new Row.OfEntity("Note", "a", Map.of()));
            session.commit();
            List<String> before = commits();
            refusing.refuses = true;
            session.ensure(new Row.OfEntity("Note", "b", Map.of()));

            assertThatThrownBy(session::commit)
                    .isInstanceOfSatisfying(
                            OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.CONFLICT))
                    .hasMessageContaining("4 tries")
                    .hasMessageContaining("nothing was stored");
            assertThat(commits()).isEqualTo(before);

            refusing.refuses = false;
            session.commit();
            assertThat(session.entities("Note").count()).isEqualTo(2);
        }
    }
}
