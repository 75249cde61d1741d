package io.ontologia.testkit;

import io.ontologia.core.Aggregate;
import io.ontologia.core.Entity;
import io.ontologia.core.EntityType;
import io.ontologia.core.EventOptions;
import io.ontologia.core.FieldDef;
import io.ontologia.core.FieldPath;
import io.ontologia.core.Indexed;
import io.ontologia.core.Key;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Migration;
import io.ontologia.core.Model;
import io.ontologia.core.Ontologia;
import io.ontologia.core.OntologyType;
import io.ontologia.core.Progress;
import io.ontologia.core.Relation;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.StorageInfo;
import io.ontologia.core.TypeRef;
import io.ontologia.core.TypeSpec;
import io.ontologia.core.Upgrader;
import io.ontologia.core.Upgraders;
import io.ontologia.core.Window;
import io.ontologia.core.spi.AggregateQuery;
import io.ontologia.core.spi.ClaimRequest;
import io.ontologia.core.spi.EventStore;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.core.spi.Upkeep;
import io.ontologia.kernel.OntologiaException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Everything that reads or maintains a store, on a store with the types of {@link #TYPES} and the namespace {@code shop}. */
final class StoreOperations {
    static final Class<?>[] TYPES = {Guest.class, Invitation.class};

    private static final TypeRef GUEST = TypeRef.entity("Guest");
    private static final List<TypeRef> REFS = List.of(GUEST, TypeRef.relation("Invitation"));
    private static final Set<String> STORED = Set.of(
            "aggregate",
            "schemas",
            "schema history",
            "commits",
            "digest",
            "query",
            "relations",
            "find",
            "traverse",
            "diff");
    private static final String NAMESPACE = "shop";
    private static final Duration AGE = Duration.ofDays(1);

    record Guest(
            @Key String id, @Indexed String tier, @Nullable Integer age, List<String> tags) implements Entity {}

    record Invitation(String leftKey, String rightKey, int seats) implements Relation<Guest, Guest> {}

    private final String uri;
    private final SessionOptions writer;
    private final SessionOptions reader;
    private final Map<String, Outcome> outcomes = new LinkedHashMap<>();

    private StoreOperations(String uri, SessionOptions options) {
        this.uri = uri;
        this.writer = options;
        this.reader = options.storage(options.storage().mode(StorageOptions.Mode.READ_ONLY));
    }

    /** How an operation ended. */
    sealed interface Outcome {}

    /** With an answer, as text. */
    record Answer(String text) implements Outcome {}

    /** With an error that is meant for people. */
    record Refusal(OntologiaException error) implements Outcome {}

    /** With an error that is a defect. */
    record Defect(Throwable error) implements Outcome {}

    /** How every operation ends, by name. An operation on a store that cannot be opened is left out. */
    static Map<String, Outcome> readAndMaintain(String uri, SessionOptions options) {
        StoreOperations operations = new StoreOperations(uri, options);
        operations.read();
        operations.maintain();
        return operations.outcomes;
    }

    private void read() {
        opened("open to read", () -> Ontologia.maintain(uri, reader), maintenance -> {
            Storage storage = maintenance.storage();
            ask("check", () -> maintenance.check(Progress.none()));
            rows(storage);
            ask(
                    "schemas",
                    () -> storage.schemas().stream()
                            .map(schema -> schema + " " + schema.describe())
                            .toList());
            ask(
                    "schema history",
                    () -> REFS.stream().map(storage::schemaVersions).toList());
            ask("commits", () -> collected(storage.commits(0, OptionalLong.empty())));
            for (long id = 1; id <= storage.head() && id <= 3; id++) {
                long commit = id;
                ask("changes of " + id, () -> collected(storage.changes(commit)));
            }
            ask("info", () -> storage.info(StorageInfo.Detail.ROW_COUNTS));
            ask("lock", () -> maintenance.lock().holder());
            ask("digest", () -> maintenance.digest(OptionalLong.empty(), Progress.none()));
            ask("plan of a migration", () -> migration(maintenance).preview());
            ask(
                    "plan of a drop",
                    () -> maintenance
                            .drop(GUEST)
                            .cascadingRelations()
                            .purgingHistory()
                            .preview());
            events(storage.events(EventOptions.defaults()));
            storage.upkeep().ifPresent(this::plans);
            ask("copy", () -> copy(maintenance));
        });
        opened("open to query", () -> Ontologia.open(uri, reader, TYPES), session -> {
            ask("query", () -> session.entities(Guest.class).withHistory().results());
            ask("relations", () -> session.relations(Invitation.class).list());
            ask("find", () -> session.find(Guest.class, "g0"));
            ask(
                    "traverse",
                    () -> session.traverse(Guest.class).via(Invitation.class).list().stream()
                            .map(path -> path.source() + " " + path.hops())
                            .toList());
            ask("diff", () -> session.log().diff(0, session.head()));
        });
    }

    private void rows(Storage storage) {
        for (TypeRef type : REFS) {
            for (Window window : List.of(new Window.Latest(), new Window.History(0), new Window.AsOf(1))) {
                RowQuery query = RowQuery.of(type, window);
                ask("rows of " + type + " " + window, () -> rows(storage, query));
            }
            RowQuery latest = RowQuery.of(type, new Window.Latest());
            ask("count of " + type, () -> storage.count(latest));
            ask("explanation of " + type, () -> storage.explain(latest));
        }
        ask(
                "aggregate",
                () -> storage.aggregate(new AggregateQuery(
                        RowQuery.of(GUEST, new Window.Latest()),
                        List.of(
                                Aggregate.count("n"),
                                new Aggregate(
                                        "age",
                                        Aggregate.Function.SUM,
                                        Optional.of(FieldPath.parse("$.age")),
                                        Optional.empty())),
                        List.of(FieldPath.parse("$.tier")),
                        List.of())));
    }

    private void events(EventStore bus) {
        ask("namespaces", bus::namespaces);
        ask("sessions", () -> bus.sessions(NAMESPACE));
        ask("dead letters", () -> bus.deadLetters(NAMESPACE, 10));
        ask("events", () -> bus.list(NAMESPACE, 10));
        ask("inspect", () -> bus.inspect(NAMESPACE, "e1"));
        ask("inspect everywhere", () -> bus.inspect("e1"));
        ask(
                "plan of a cleanup",
                () -> bus.previewCleanup(NAMESPACE, writer.storage().clock().now()));
    }

    private void plans(Upkeep upkeep) {
        ask("index states", upkeep::indexStates);
        ask("index verify", upkeep::verifyIndices);
        ask("files", () -> upkeep.files(OptionalLong.empty()));
        ask("plan of a compaction", () -> upkeep.planCompaction(Optional.empty()));
        ask("garbage", () -> upkeep.findGarbage(AGE));
        ask("covered files", () -> upkeep.findCovered(AGE));
    }

    private void maintain() {
        opened(
                "open to write",
                () -> Ontologia.open(uri, writer, TYPES),
                session -> ask("commit", () -> {
                    session.ensure(new Guest("new", "Gold", 1, List.of()), new Guest("g0", "Gold", 7, List.of()));
                    return session.commit();
                }));
        opened("open to maintain", () -> Ontologia.maintain(uri, writer), maintenance -> {
            Storage storage = maintenance.storage();
            storage.upkeep().ifPresent(upkeep -> {
                ask("index repair", upkeep::repairIndices);
                ask("compact", () -> upkeep.compact(Optional.empty(), "operator", Progress.none()));
                ask("gc", () -> upkeep.collectGarbage(AGE));
                ask("gc of covered files", () -> upkeep.removeCovered(AGE));
            });
            ask("record digests", () -> maintenance.recordDigests(Progress.none()));
            EventStore bus = storage.events(EventOptions.defaults());
            ask(
                    "claim",
                    () -> bus.ack(bus.claim(new ClaimRequest(
                            NAMESPACE,
                            "worker",
                            List.of(new ClaimRequest.Subscription("other", Set.of("order"), 10))))));
            ask("replay", () -> bus.replay(NAMESPACE, "e1").type());
            ask(
                    "migrate",
                    () -> migration(maintenance)
                            .force(Map.of(), Progress.none())
                            .newSchemaVersions());
            ask("cleanup", () -> bus.cleanup(NAMESPACE, writer.storage().clock().now()));
        });
    }

    /** Guests get one more field. */
    private static Migration migration(Maintenance maintenance) {
        List<OntologyType> types = new ArrayList<>();
        for (OntologyType type : Model.ofRecords(List.of(TYPES)).types()) {
            if (type instanceof EntityType guest) {
                List<FieldDef> fields = new ArrayList<>(guest.fields());
                fields.add(FieldDef.of("visits", TypeSpec.Primitive.INT).withDefault(0L));
                types.add(new EntityType("Guest", fields, guest.keyField()));
            } else {
                types.add(type);
            }
        }
        return maintenance.migration(Model.of(types), Upgraders.of(Upgrader.entity("Guest", 1, fields -> fields)));
    }

    private String copy(Maintenance source) {
        String target = uri.startsWith("sqlite:") ? "sqlite::memory:" : "memory:";
        try (Maintenance copy = Ontologia.maintain(target, writer)) {
            return source.copyTo(copy, Progress.none()).toString();
        }
    }

    private static List<String> rows(Storage storage, RowQuery query) {
        try (Stream<StoredRow> rows = storage.rows(query)) {
            return rows.map(StoredRow::toString).sorted().toList();
        }
    }

    private static List<?> collected(Stream<?> stream) {
        try (stream) {
            return stream.toList();
        }
    }

    private interface Work<T> {
        void on(T opened);
    }

    private <T extends AutoCloseable> void opened(String name, Supplier<T> opening, Work<T> work) {
        List<T> opened = new ArrayList<>();
        ask(name, () -> {
            opened.add(opening.get());
            return "";
        });
        for (T one : opened) {
            ask(name + " and work", () -> {
                work.on(one);
                return "";
            });
            ask(name + " and close", () -> closed(one));
        }
    }

    private static String closed(AutoCloseable opened) {
        try {
            opened.close();
            return "";
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void ask(String name, Supplier<?> question) {
        outcomes.put(name, outcome(question));
    }

    private static Outcome outcome(Supplier<?> question) {
        try {
            return new Answer(String.valueOf(question.get()));
        } catch (OntologiaException e) {
            return new Refusal(e);
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
            return new Defect(e);
        }
    }

    /** Whether an operation says what rows, schemas and commits there are: of equal stores it gives equal answers. */
    static boolean saysWhatIsStored(String operation) {
        return operation.startsWith("rows of")
                || operation.startsWith("count of")
                || operation.startsWith("changes of")
                || STORED.contains(operation);
    }
}
