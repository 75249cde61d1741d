package io.ontologia.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.core.Entity;
import io.ontologia.core.Key;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Ontologia;
import io.ontologia.core.Session;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.StorageInfo;
import io.ontologia.core.StorageInfo.Detail;
import io.ontologia.core.StorageInfo.RowCounts;
import io.ontologia.core.TypeRef;
import io.ontologia.core.WriteLease;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteInfoTest {
    record Item(@Key String id, int n) implements Entity {}

    record Unused(@Key String id) implements Entity {}

    @TempDir
    Path folder;

    @Test
    void a_store_says_where_it_is_what_it_is_and_how_much_is_in_it() throws Exception {
        String uri = "sqlite:///" + folder.resolve("onto.db");
        try (Session session = Ontologia.open(uri, Item.class, Unused.class);
                Maintenance maintenance = Ontologia.maintain(uri, SessionOptions.defaults())) {
            session.ensure(new Item("a", 1), new Item("b", 1));
            session.commit();
            session.ensure(new Item("a", 2));
            session.commit();

            try (WriteLease lease = maintenance.lock().acquire()) {
                StorageInfo info = maintenance.info(Detail.ROW_COUNTS);

                assertThat(info.backend()).isEqualTo("sqlite");
                assertThat(info.location()).isEqualTo(uri);
                assertThat(info.engineVersion()).matches("SQLite 3\\.\\d+\\.\\d+");
                assertThat(info.head()).isEqualTo(2);
                assertThat(info.bytes()).containsEntry("onto.db", Files.size(folder.resolve("onto.db")));
                assertThat(info.bytes().get("onto.db-wal")).isPositive();
                assertThat(info.rows())
                        .isEqualTo(Map.of(
                                TypeRef.entity("Item"), new RowCounts(2, 3),
                                TypeRef.entity("Unused"), new RowCounts(0, 0)));
                assertThat(info.lock()).contains(lease.holder());
            }
            assertThat(maintenance.info(Detail.BASIC).rows()).isEmpty();
            assertThat(maintenance.info(Detail.BASIC).lock()).isEmpty();
        }
    }
}
