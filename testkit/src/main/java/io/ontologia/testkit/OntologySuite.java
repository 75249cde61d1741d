package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.core.Author;
import io.ontologia.core.CommitResult;
import io.ontologia.core.EntityType;
import io.ontologia.core.FieldDef;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Query;
import io.ontologia.core.RelationType;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.TypeSpec;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/**
 * What the contract suites for sessions and queries share: sessions that are closed after the test, and rows to put in.
 *
 * <p>A backend extends each suite ({@link SessionContract}, {@link SessionEndContract}, {@link ReconcileContract}, {@link RefusalContract}, {@link
 * QueryContract}, {@link KeyContract}, {@link TemporalContract}, {@link PagingContract}, {@link AggregateContract}, {@link TraversalContract},
 * {@link CommitLogContract}, {@link PinnedSessionContract}) with a class that says where a new store can be made.
 */
public abstract class OntologySuite extends StorageSuite {
    /** Things with fields that take any value, and links between them. */
    protected static final Model THINGS = Model.of(
            new EntityType(
                    "Thing",
                    List.of(
                            FieldDef.of("id", TypeSpec.Primitive.STR),
                            anyField("v").withIndex(),
                            anyField("w"),
                            anyField("list"),
                            anyField("nested")),
                    "id"),
            new RelationType("Link", "Thing", "Thing", Optional.empty(), List.of(anyField("v"), anyField("w"))));

    private final List<Session> opened = new ArrayList<>();

    /** How stores are opened: with the test's clock, without an author, and as fast as the backend can. */
    protected SessionOptions options() {
        return SessionOptions.defaults()
                .author(Author.none())
                .storage(StorageOptions.defaults()
                        .settings(settings())
                        .durability(StorageOptions.Durability.PROCESS_CRASH)
                        .clock(clock));
    }

    /** A session with the types of the shop. */
    protected final Session open() {
        return open(Shop.TYPES);
    }

    /** A session with types that are records. */
    protected final Session open(Class<?>... records) {
        return keep(Ontologia.open(uri(), options(), records));
    }

    /** A session with {@link #THINGS}. */
    protected final Session openThings() {
        return keep(Ontologia.open(uri(), options(), THINGS));
    }

    /** Closes a session at the end of the test, without committing what it left pending. */
    protected final Session keep(Session session) {
        opened.add(session);
        return session;
    }

    @AfterEach
    final void closeSessions() {
        for (Session session : opened) {
            session.discard();
            session.close();
        }
    }

    /** Ensures and commits; there must be something to do. */
    protected final long commit(Session session, Object first, Object... more) {
        session.ensure(first, more);
        return committed(session.commit());
    }

    /** The id of a commit that must have been made. */
    protected static long committed(CommitResult result) {
        assertThat(result).isInstanceOf(CommitResult.Committed.class);
        return ((CommitResult.Committed) result).commitId();
    }

    /** Lets a second pass. */
    protected final void tick() {
        clock.advance(Duration.ofSeconds(1));
    }

    /** A thing with these fields, names and values by turns. */
    protected static Row thing(String key, @Nullable Object... namesAndValues) {
        return new Row.OfEntity("Thing", key, fields(namesAndValues));
    }

    /** A link with these fields, names and values by turns. */
    protected static Row link(String left, String right, @Nullable Object... namesAndValues) {
        return new Row.OfRelation("Link", left, right, "", fields(namesAndValues));
    }

    /** A JSON object, names and values by turns. */
    protected static Map<String, @Nullable Object> fields(@Nullable Object... namesAndValues) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
        }
        return fields;
    }

    /** The identities that a query finds, in its order. */
    protected static List<String> keys(Query<?> query) {
        return query.results().stream()
                .map(result -> result.identity().toString())
                .toList();
    }

    /** Checks that a call fails with an error of the given kind and a text in its message. */
    protected static void assertFails(ErrorKind kind, String message, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(kind))
                .hasMessageContaining(message);
    }

    private static FieldDef anyField(String name) {
        return FieldDef.of(name, TypeSpec.Primitive.ANY).withDefault(null);
    }
}
