package io.ontologia.store.object;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Aggregate;
import io.ontologia.core.Entity;
import io.ontologia.core.Fields;
import io.ontologia.core.Key;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.testkit.Seeds;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cache folder may be deleted or damaged at any time: everything in it is made again. */
class DisposableCacheTest {
    private static final int ITEMS = 5_000;

    @TempDir
    Path folder;

    private int values;

    record Item(@Key String id, long v, String text) implements Entity {}

    private Path cache() {
        return folder.resolve("cache");
    }

    private Session open() {
        return open("store");
    }

    private Session open(String name) {
        return Ontologia.open(
                folder.resolve(name).toUri().toString(),
                SessionOptions.defaults()
                        .storage(StorageOptions.defaults().settings(Map.of("cache_dir", cache().toString()))),
                Item.class);
    }

    private static Item item(int i, long v) {
        return new Item("k" + i, v, "text of item " + i + " " + Long.toHexString(i * 0x9E3779B97F4A7C15L));
    }

    /** Commits many rows, and asks often enough for a local table with an index. */
    private void fill() {
        try (Session session = open()) {
            session.ensureAll(IntStream.range(0, ITEMS).mapToObj(i -> item(i, 0)));
            session.commit();
            useAll(session);
            useAll(session);
        }
    }

    /** Every kind of question, and a commit. */
    private void useAll(Session session) {
        assertThat(session.entities(Item.class).list()).hasSize(ITEMS);
        assertThat(session.entities(Item.class).count()).isEqualTo(ITEMS);
        for (int i = 0; i < 10; i++) {
            assertThat(session.find(Item.class, "k" + i * 7)).isPresent();
        }
        values++;
        session.ensure(item(3, values), item(ITEMS - 1, values));
        session.commit();
        assertThat(session.find(Item.class, "k3").orElseThrow().v()).isEqualTo(values);
        assertThat(session.entities(Item.class).groupBy(Fields.field("$.v")).aggregate(Aggregate.count("n")))
                .hasSize(2);
    }

    private List<Path> tables() throws IOException {
        try (Stream<Path> files = Files.list(cache().resolve("engine"))) {
            return files.filter(file -> file.getFileName().toString().endsWith(".duckdb"))
                    .toList();
        }
    }

    private void deleteCache() throws IOException {
        try (Stream<Path> files = Files.walk(cache())) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    @Test
    void the_cache_is_deleted_under_a_running_process() throws IOException {
        fill();
        try (Session session = open()) {
            useAll(session);
            deleteCache();
            useAll(session);
            try (Session another = open()) {
                useAll(another);
            }
        }
        deleteCache();
        try (Session session = open()) {
            useAll(session);
            useAll(session);
        }
    }

    @Test
    void local_tables_are_deleted_or_cut_short() throws IOException {
        fill();
        for (double part : new double[] {0, 0.1, 0.5, 0.99}) {
            for (Path file : tables()) {
                try (RandomAccessFile table = new RandomAccessFile(file.toFile(), "rw")) {
                    table.setLength((long) (table.length() * part));
                }
            }
            try (Session session = open()) {
                useAll(session);
                useAll(session);
            }
        }
        for (Path file : tables()) {
            Files.delete(file);
        }
        try (Session session = open()) {
            useAll(session);
        }
    }

    @Test
    void local_tables_are_cut_short_under_a_running_process() throws IOException {
        fill();
        try (Session session = open()) {
            for (Path file : tables()) {
                try (RandomAccessFile table = new RandomAccessFile(file.toFile(), "rw")) {
                    table.setLength(table.length() / 2);
                }
            }
            useAll(session);
            useAll(session);
        }
        try (Session session = open()) {
            useAll(session);
        }
    }

    @Test
    void a_damaged_table_leaves_other_stores_alone() throws IOException {
        fill();
        List<Path> damaged = tables();
        try (Session other = open("other");
                Session session = open()) {
            other.ensureAll(IntStream.range(0, ITEMS).mapToObj(i -> item(i, 0)));
            other.commit();
            assertThat(other.entities(Item.class).list()).hasSize(ITEMS);
            Iterator<Item> reading = other.entities(Item.class).stream().iterator();
            assertThat(reading.next()).isNotNull();
            for (Path file : damaged) {
                try (RandomAccessFile table = new RandomAccessFile(file.toFile(), "rw")) {
                    table.setLength(table.length() / 2);
                }
            }

            useAll(session);

            int rest = 0;
            while (reading.hasNext()) {
                reading.next();
                rest++;
            }
            assertThat(rest).isEqualTo(ITEMS - 1);
        }
    }

    @Test
    void bytes_of_local_tables_are_flipped() {
        fill();
        Seeds.forEach("flipped bytes of local tables", Integer.getInteger("ontologia.flips", 12), random -> {
            for (Path file : tables()) {
                try (RandomAccessFile table = new RandomAccessFile(file.toFile(), "rw")) {
                    for (int i = 0; i < 1 + random.nextInt(3); i++) {
                        long place = random.nextLong(table.length());
                        table.seek(place);
                        int old = table.read();
                        table.seek(place);
                        table.write(old ^ (1 << random.nextInt(8)));
                    }
                }
            }
            try (Session session = open()) {
                useAll(session);
                useAll(session);
            }
        });
    }
}
