package io.ontologia.store.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.CommitResult;
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
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.testkit.ForwardingObjectStore;
import io.ontologia.testkit.SettableClock;
import io.ontologia.testkit.StoreOperation;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Lost replies to writes that come before the swap of the head leave nothing open about the commit. */
class UploadFailuresTest {
    private static final EntityType NOTE = new EntityType("Note", List.of(FieldDef.of("id", Primitive.STR)), "id");

    private final SettableClock clock = new SettableClock();
    private final Lossy store = new Lossy(ObjectStores.open("memory:", clock));

    /** Stores what it is given without a condition, and loses some of the replies. */
    private static final class Lossy extends ForwardingObjectStore {
        private int left;

        Lossy(ObjectStore target) {
            super(target);
        }

        @Override
        protected <T> T around(StoreOperation operation, Supplier<T> request) {
            T reply = request.get();
            if (operation == StoreOperation.PUT && left > 0) {
                left--;
                throw new OntologiaException(
                        ErrorKind.UNKNOWN_OUTCOME, "cannot write", "the reply was lost", "read before anything else");
            }
            return reply;
        }
    }

    private Session open() {
        return Ontologia.open(
                TestStoreProvider.uriOf(store),
                SessionOptions.defaults().storage(StorageOptions.defaults().clock(clock)),
                Model.of(NOTE));
    }

    @Test
    void an_upload_whose_reply_was_lost_is_sent_again() {
        try (Session session = open()) {
            session.ensure(new Row.OfEntity("Note", "a", Map.of()));
            store.left = 1;

            assertThat(session.commit()).isInstanceOf(CommitResult.Committed.class);
        }
    }

    @Test
    void a_commit_whose_uploads_fail_for_good_is_unavailable_and_certainly_not_stored() {
        try (Session session = open()) {
            session.ensure(new Row.OfEntity("Note", "a", Map.of()));
            store.left = 100;

            assertThatThrownBy(session::commit).isInstanceOfSatisfying(OntologiaException.class, e -> {
                assertThat(e.kind()).isEqualTo(ErrorKind.UNAVAILABLE);
                assertThat(e).hasMessageContaining("nothing was stored");
            });
            store.left = 0;
            assertThat(session.head()).isZero();
            assertThat(session.commit()).isInstanceOf(CommitResult.Committed.class);
            assertThat(session.head()).isEqualTo(1);
        }
    }
}
