package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.CommitInfo;
import io.ontologia.core.Erasure;
import io.ontologia.core.ErasurePlan;
import io.ontologia.core.ErasureRefusedException;
import io.ontologia.core.ErasureResult;
import io.ontologia.core.Event;
import io.ontologia.core.EventOptions;
import io.ontologia.core.Finding;
import io.ontologia.core.Identity;
import io.ontologia.core.ListedEvent;
import io.ontologia.core.Maintenance;
import io.ontologia.core.NewEvent;
import io.ontologia.core.Ontologia;
import io.ontologia.core.OntologyType;
import io.ontologia.core.Outbox;
import io.ontologia.core.Progress;
import io.ontologia.core.Session;
import io.ontologia.core.TypeRef;
import io.ontologia.core.Window;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How rows are erased, on every backend. */
public abstract class ErasureContract extends StorageSuite {
    protected static final TypeRef CUSTOMER = TypeRef.entity("Customer");
    protected static final TypeRef BUYS = TypeRef.relation("Buys");
    protected static final OntologyType CUSTOMER_TYPE = entityType("Customer", text("name"));
    protected static final OntologyType PRODUCT_TYPE = entityType("Product");
    protected static final OntologyType BUYS_TYPE = relationType("Buys", "Customer", "Product", integer("n"));
    protected static final List<OntologyType> ALL = List.of(CUSTOMER_TYPE, PRODUCT_TYPE, BUYS_TYPE);

    /** A text that is in every version of the erased row, and in its key. */
    protected static final String SECRET = "Xyzzy-Plugh-4711";

    protected static final String KEY = "key-" + SECRET;

    /** The name of the namespace of all events. */
    protected static final String NS = "shop";

    /** Three commits: the secret row in two versions beside another row, and a relation of each. */
    protected final void fill() {
        commit(
                ALL,
                entity("Customer", KEY, Map.of("name", SECRET + " one")),
                entity("Customer", "other", Map.of("name", "Bob")),
                entity("Product", "p1", Map.of()));
        commit(ALL, entity("Customer", KEY, Map.of("name", SECRET + " two")));
        commit(ALL, relation("Buys", KEY, "p1", Map.of("n", 1L)), relation("Buys", "other", "p1", Map.of("n", 2L)));
    }

    protected static Erasure ofSecret(Maintenance maintenance) {
        return maintenance
                .erasure(CUSTOMER, List.of(new Identity.OfEntity(KEY)))
                .cascadingRelations();
    }

    protected final ErasureResult erase() {
        return erase(UnaryOperator.identity());
    }

    private ErasureResult erase(UnaryOperator<Erasure> how) {
        try (Maintenance maintenance = maintain()) {
            Erasure erasure = how.apply(ofSecret(maintenance));
            return erasure.apply(erasure.preview().token(), Map.of("reason", "request 1"), Progress.none());
        }
    }

    protected final List<Finding> problems() {
        try (Maintenance maintenance = maintain()) {
            return maintenance.check(Progress.none()).stream()
                    .filter(Finding::isProblem)
                    .toList();
        }
    }

    protected final List<Finding> remaining() {
        try (Maintenance maintenance = maintain()) {
            return maintenance.checkErased(Progress.none()).stream()
                    .filter(Finding::isProblem)
                    .toList();
        }
    }

    private List<CommitInfo> commits() {
        try (Maintenance maintenance = maintain();
                Stream<CommitInfo> commits = maintenance.storage().commits(0, java.util.OptionalLong.empty())) {
            return commits.toList();
        }
    }

    protected final List<String> keys(TypeRef type, Window window) {
        try (Maintenance maintenance = maintain();
                Stream<StoredRow> rows = maintenance.storage().rows(RowQuery.of(type, window))) {
            return rows.map(row -> row.identity().toString()).toList();
        }
    }

    protected final void enqueue(NewEvent... events) {
        try (Session session = Ontologia.openStored(uri(), options("worker"))) {
            session.storage().events(EventOptions.defaults()).enqueue(List.of(events));
        }
    }

    private List<String> eventTypes() {
        try (Session session = Ontologia.openStored(uri(), options("worker"))) {
            return session.storage().events(EventOptions.defaults()).list(NS, 100).stream()
                    .map(ListedEvent::event)
                    .map(Event::type)
                    .sorted()
                    .toList();
        }
    }

    @Test
    void a_plan_names_versions_commits_and_what_is_not_reached() {
        fill();
        enqueue(
                NewEvent.of(NS, "about", Map.of("customer", KEY)),
                NewEvent.of(NS, "else", Map.of("customer", "other")));

        try (Maintenance maintenance = maintain()) {
            ErasurePlan plan = ofSecret(maintenance).preview();

            assertThat(plan.targets())
                    .containsExactly(
                            new ErasurePlan.Target(CUSTOMER, new Identity.OfEntity(KEY), 2),
                            new ErasurePlan.Target(BUYS, new Identity.OfRelation(KEY, "p1", ""), 1));
            assertThat(plan.commits()).containsExactly(1L, 2L, 3L);
            assertThat(plan.files()).isNotEmpty();
            assertThat(plan.events()).hasSize(1);
            assertThat(plan.dependents()).isEmpty();
        }
        assertThat(ErasurePlan.UNREACHABLE).isNotEmpty();
        assertThat(newest().id()).isEqualTo(3);
    }

    @Test
    void no_query_shows_an_erased_row_and_others_stay() {
        fill();

        ErasureResult result = erase();

        assertThat(result.versions()).isEqualTo(Map.of(CUSTOMER, 2L, BUYS, 1L));
        assertThat(result.commitId()).isEqualTo(4);
        for (Window window : List.of(
                new Window.Latest(),
                new Window.History(0),
                new Window.AsOf(1),
                new Window.AsOf(2),
                new Window.AsOf(4))) {
            assertThat(keys(CUSTOMER, window)).containsExactly("other");
        }
        assertThat(keys(BUYS, new Window.AsOf(3))).containsExactly("other -> p1");
        try (Session session = Ontologia.openStored(uri(), options("reader"))) {
            assertThat(session.log().changes(1).toString())
                    .doesNotContain(SECRET)
                    .contains("Bob");
            assertThat(session.log().changes(2)).isEmpty();
        }
    }

    @Test
    void the_commit_of_an_erasure_has_numbers_and_a_hash_and_no_key() {
        fill();

        erase();

        CommitInfo record = newest();
        assertThat(record.operations()).isZero();
        assertThat(record.metadata()).containsEntry("kind", "erasure").containsEntry("reason", "request 1");
        assertThat(CanonicalJson.write(record.metadata()))
                .doesNotContain(SECRET)
                .contains("\"identities\":1", "\"versions\":2", "rows_sha256");
    }

    @Test
    void digests_stay_what_they_were_and_the_store_is_in_order() {
        fill();
        List<String> before = digests();

        erase();

        assertThat(digests().subList(0, before.size())).isEqualTo(before);
        assertThat(problems()).isEmpty();
        try (Maintenance maintenance = maintain()) {
            assertThat(maintenance.check(before.get(2), Progress.none()))
                    .noneMatch(finding -> finding.code().equals("digest-unknown"));
        }
    }

    private List<String> digests() {
        List<String> digests = new ArrayList<>();
        commits().forEach(commit -> digests.add(0, commit.digest().orElseThrow()));
        return digests;
    }

    @Test
    void relations_that_name_an_entity_are_in_the_way() {
        fill();

        try (Maintenance maintenance = maintain()) {
            Erasure erasure = maintenance.erasure(CUSTOMER, List.of(new Identity.OfEntity(KEY)));
            ErasurePlan plan = erasure.preview();

            assertThat(plan.dependents()).isEqualTo(Map.of(BUYS, 1L));
            assertThatThrownBy(() -> erasure.apply(plan.token(), Map.of(), Progress.none()))
                    .isInstanceOf(ErasureRefusedException.class)
                    .hasMessageContaining("relation Buys");
        }
        assertThat(keys(CUSTOMER, new Window.Latest())).contains(KEY);
        assertThat(newest().id()).isEqualTo(3);
    }

    @Test
    void a_relation_is_erased_by_its_keys() {
        fill();
        try (Maintenance maintenance = maintain()) {
            Erasure erasure = maintenance.erasure(BUYS, List.of(new Identity.OfRelation(KEY, "p1", "")));

            erasure.apply(erasure.preview().token(), Map.of(), Progress.none());
        }

        assertThat(keys(BUYS, new Window.History(0))).containsExactly("other -> p1");
        assertThat(keys(CUSTOMER, new Window.Latest())).contains(KEY);
        assertThat(problems()).isEmpty();
    }

    @Test
    void the_token_of_another_plan_is_refused() {
        fill();
        try (Maintenance maintenance = maintain()) {
            String token = ofSecret(maintenance).preview().token();
            commit(ALL, entity("Customer", "third", Map.of("name", "Carol")));

            assertThatThrownBy(() -> ofSecret(maintenance).apply(token, Map.of(), Progress.none()))
                    .isInstanceOfSatisfying(
                            OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.CONFLICT));
        }
        assertThat(keys(CUSTOMER, new Window.Latest())).contains(KEY);
    }

    @Test
    void rows_that_are_not_there_cannot_be_erased() {
        fill();
        erase();

        assertThatThrownBy(this::erase)
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.NOT_FOUND));
        assertThat(newest().id()).isEqualTo(4);
    }

    @Test
    void events_that_name_an_erased_row_are_removed() {
        fill();
        enqueue(
                NewEvent.of(NS, "about", Map.of("what", Map.of("customer", KEY))),
                NewEvent.of(NS, "else", Map.of("customer", "other")),
                NewEvent.of(NS, "else", Map.of("customer", "not " + KEY)));

        ErasureResult result = erase();

        assertThat(result.events()).isEqualTo(1);
        assertThat(eventTypes()).containsExactly("else", "else");
        assertThat(problems()).isEmpty();
    }

    @Test
    void a_row_with_the_same_key_can_be_stored_again() {
        fill();
        erase();

        commit(ALL, entity("Customer", KEY, Map.of("name", "new")));

        assertThat(keys(CUSTOMER, new Window.History(0))).containsExactly("other", KEY);
        assertThat(keys(CUSTOMER, new Window.AsOf(4))).containsExactly("other");
        assertThat(problems()).isEmpty();
    }

    @Test
    void rows_can_be_erased_again_and_again() {
        fill();
        erase();
        commit(ALL, entity("Customer", KEY, Map.of("name", SECRET + " three")));
        commit(ALL, entity("Customer", "other", Map.of("name", "Bobby")));

        erase();

        assertThat(keys(CUSTOMER, new Window.History(0))).containsExactly("other", "other");
        assertThat(problems()).isEmpty();
    }

    @Test
    void the_type_of_erased_rows_can_be_dropped() {
        fill();
        erase();

        try (Maintenance maintenance = maintain()) {
            var drop = maintenance.drop(CUSTOMER).cascadingRelations().purgingHistory();
            drop.apply(drop.preview().token(), Map.of());
        }

        assertThat(problems()).isEmpty();
    }

    @Test
    void events_of_commits_that_name_an_erased_row_are_removed() {
        fill();
        try (Session session = open(ALL.toArray(OntologyType[]::new))) {
            session.ensureAll(List.of(entity("Product", "p2", Map.of())));
            session.commit(
                    Map.of(),
                    Outbox.of(
                            NewEvent.of(NS, "about", Map.of("customer", KEY)),
                            NewEvent.of(NS, "else", Map.of("customer", "other"))));
        }

        ErasureResult result = erase();

        assertThat(result.events()).isEqualTo(1);
        assertThat(eventTypes()).containsExactly("else");
        assertThat(problems()).isEmpty();
    }

    @Test
    void a_reader_that_was_open_before_sees_the_new_state() {
        fill();
        try (Session session = Ontologia.openStored(uri(), options("reader"))) {
            assertThat(session.entities("Customer").results()).hasSize(2);

            erase();

            assertThat(session.entities("Customer").results()).hasSize(1);
        }
    }
}
