package io.ontologia.testkit;

import io.ontologia.core.EventOptions;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Progress;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.StorageInfo;
import io.ontologia.core.TypeRef;
import io.ontologia.core.Window;
import io.ontologia.core.spi.EventStore;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.core.spi.StoredRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Stream;

/** Everything that reads or maintains a store, by name. */
final class StoreOperations {
    private static final List<TypeRef> TYPES =
            List.of(TypeRef.entity("Customer"), TypeRef.entity("Product"), TypeRef.relation("Subscription"));

    private StoreOperations() {}

    /** Does something and says what it saw. */
    interface Operation {
        String run();
    }

    static List<Map.Entry<String, Operation>> all(String uri, SessionOptions options) {
        SessionOptions reader = options.storage(options.storage().mode(StorageOptions.Mode.READ_ONLY));
        Map<String, Operation> all = new LinkedHashMap<>();
        for (TypeRef type : TYPES) {
            all.put(
                    "latest " + type,
                    () -> read(uri, reader, storage -> rows(storage, RowQuery.of(type, new Window.Latest()))));
            all.put(
                    "history " + type,
                    () -> read(uri, reader, storage -> rows(storage, RowQuery.of(type, new Window.History(0)))));
            all.put(
                    "as of " + type,
                    () -> read(uri, reader, storage -> rows(storage, RowQuery.of(type, new Window.AsOf(2)))));
        }
        all.put(
                "explain",
                () -> read(uri, reader, storage -> storage.explain(RowQuery.of(TYPES.get(0), new Window.Latest()))));
        all.put(
                "schemas",
                () -> read(
                        uri,
                        reader,
                        storage -> storage.schemas().stream()
                                .map(schema -> schema + " " + schema.describe())
                                .toList()));
        all.put(
                "versions",
                () -> read(
                        uri,
                        reader,
                        storage -> TYPES.stream().map(storage::schemaVersions).toList()));
        all.put("commits", () -> read(uri, reader, StoreOperations::commits));
        all.put("changes", () -> read(uri, reader, StoreOperations::changes));
        all.put("info", () -> read(uri, reader, storage -> storage.info(StorageInfo.Detail.ROW_COUNTS)));
        all.put("events", () -> read(uri, reader, StoreOperations::events));
        all.put(
                "lock",
                () -> maintain(uri, reader, maintenance -> maintenance.lock().holder()));
        all.put("check", () -> maintain(uri, reader, maintenance -> maintenance.check(Progress.none())));
        all.put(
                "digest",
                () -> maintain(uri, reader, maintenance -> maintenance.digest(OptionalLong.empty(), Progress.none())));
        all.put("query with types", () -> {
            try (Session session = Ontologia.open(uri, reader, Shop.TYPES)) {
                return session.entities("Customer").results().toString();
            }
        });
        all.put("copy", () -> copy(uri, reader, options));
        all.put("upkeep", () -> maintain(uri, options, StoreOperations::upkeep));
        all.put("commit", () -> {
            try (Session session = Ontologia.open(uri, options, Shop.TYPES)) {
                session.ensure(Shop.Customer.of("new", "Gold", 1));
                return session.commit().toString();
            }
        });
        return new ArrayList<>(all.entrySet());
    }

    private static <T> String read(String uri, SessionOptions options, Function<Storage, T> question) {
        return maintain(uri, options, maintenance -> question.apply(maintenance.storage()));
    }

    private static <T> String maintain(String uri, SessionOptions options, Function<Maintenance, T> question) {
        try (Maintenance maintenance = Ontologia.maintain(uri, options)) {
            return String.valueOf(question.apply(maintenance));
        }
    }

    private static List<String> rows(Storage storage, RowQuery query) {
        try (Stream<StoredRow> rows = storage.rows(query)) {
            return rows.map(StoredRow::toString).toList();
        }
    }

    private static List<?> commits(Storage storage) {
        try (var commits = storage.commits(0, OptionalLong.empty())) {
            return commits.toList();
        }
    }

    private static List<?> changes(Storage storage) {
        List<Object> all = new ArrayList<>();
        for (long id = 1; id <= 3; id++) {
            try (var changes = storage.changes(id)) {
                all.addAll(changes.toList());
            }
        }
        return all;
    }

    private static List<?> events(Storage storage) {
        EventStore bus = storage.events(EventOptions.defaults());
        List<Object> all = new ArrayList<>();
        for (var namespace : bus.namespaces()) {
            all.add(namespace);
        }
        all.addAll(bus.sessions("shop"));
        all.addAll(bus.deadLetters("shop", 10));
        for (var listed : bus.list("shop", 10)) {
            all.add(listed);
            if (!listed.event().id().isBlank()) {
                all.add(bus.inspect("shop", listed.event().id()));
            }
        }
        return all;
    }

    private static String copy(String uri, SessionOptions reader, SessionOptions options) {
        try (Maintenance source = Ontologia.maintain(uri, reader);
                Maintenance target =
                        Ontologia.maintain(uri.startsWith("sqlite:") ? "sqlite::memory:" : "memory:", options)) {
            return source.copyTo(target, Progress.none()).toString();
        }
    }

    private static List<?> upkeep(Maintenance maintenance) {
        List<Object> all = new ArrayList<>();
        maintenance.storage().upkeep().ifPresent(upkeep -> {
            all.add(upkeep.verifyIndices());
            all.add(upkeep.files(OptionalLong.empty()));
            all.add(upkeep.planCompaction(Optional.empty()));
            all.add(upkeep.compact(Optional.empty(), "operator", Progress.none()));
            all.add(upkeep.repairIndices());
            all.add(upkeep.findGarbage(Duration.ofDays(1)));
            all.add(upkeep.findCovered(Duration.ofDays(1)));
        });
        return all;
    }
}
