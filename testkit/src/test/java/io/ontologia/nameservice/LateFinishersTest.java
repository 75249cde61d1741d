package io.ontologia.nameservice;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.nameservice.internal.object.ObjectNameservice;
import io.ontologia.objectstore.GetOptions;
import io.ontologia.objectstore.GetOutcome;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStores;
import io.ontologia.objectstore.Payload;
import io.ontologia.testkit.ForwardingObjectStore;
import io.ontologia.testkit.SettableClock;
import io.ontologia.testkit.StoreOperation;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Clients that were paused in the middle of a change, and wake up when the name belongs to another record. */
class LateFinishersTest {
    private static final Alias DB = Alias.parse("mydb");
    private static final String INDEX = "ns@v2/mydb/main.index.json";
    private static final ConcernValue OLD = ConcernValue.of(1, Map.of("address", "old"));
    private static final ConcernValue NEW = ConcernValue.of(1, Map.of("address", "new"));

    private final ObjectStore server = ObjectStores.open("memory:", new SettableClock());
    private final Nameservice others = on(server, 1);

    /** A store that is slow: something happens right before the index is read. */
    private static final class PausedStore extends ForwardingObjectStore {
        private Runnable before;

        PausedStore(ObjectStore target, Runnable before) {
            super(target);
            this.before = before;
        }

        @Override
        public GetOutcome get(String key, GetOptions options) {
            if (key.equals(INDEX)) {
                Runnable once = before;
                before = () -> {};
                once.run();
            }
            return super.get(key, options);
        }

        @Override
        protected <T> T around(StoreOperation operation, Supplier<T> request) {
            return request.get();
        }
    }

    @Test
    void who_finishes_a_retraction_late_does_not_seal_the_index_of_the_next_record() {
        create(OLD);
        Nameservice late = on(new PausedStore(server, this::replaceRecord), 2);

        late.retract(DB, "");

        assertThat(stored()).contains("\"new\"").doesNotContain("\"seal\"");
        assertThat(others.lookup(DB).orElseThrow().index()).isEqualTo(NEW);
    }

    @Test
    void who_purges_late_does_not_remove_the_index_of_the_next_record() {
        create(OLD);
        others.retract(DB, "");
        Matcher seal = Pattern.compile("\"seal\":\\{[^}]*},?").matcher(stored());
        assertThat(seal.find()).isTrue();
        Nameservice late = on(new PausedStore(server, () -> createWith(seal.group())), 2);

        assertThat(late.purge(DB)).isEqualTo(new PurgeOutcome.Purged());

        assertThat(others.lookup(DB).orElseThrow().index()).isEqualTo(NEW);
    }

    private void replaceRecord() {
        others.retract(DB, "");
        others.purge(DB);
        create(NEW);
    }

    private void create(ConcernValue index) {
        assertThat(others.create(NewRecord.ledger(DB))).isInstanceOf(CreateOutcome.Created.class);
        assertThat(others.push(DB, Concern.INDEX, ConcernValue.unborn(), index))
                .isEqualTo(new PushOutcome.Updated(index));
    }

    /** A record whose index has got the seal of an earlier one, as late finishers of other versions leave it. */
    private void createWith(String seal) {
        create(NEW);
        String sealed = stored().replace("\"onto\":{", "\"onto\":{" + (seal.endsWith(",") ? seal : seal + ","));
        server.put(INDEX, Payload.of(sealed.getBytes(StandardCharsets.UTF_8)));
    }

    private String stored() {
        return new String(
                ((GetOutcome.Found) server.get(INDEX, GetOptions.whole()))
                        .object()
                        .bytes(),
                StandardCharsets.UTF_8);
    }

    private static Nameservice on(ObjectStore store, long seed) {
        return new ObjectNameservice(store, Layout.B, new SettableClock(), new SplittableRandom(seed), Runnable::run);
    }
}
