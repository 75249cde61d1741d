package io.ontologia.cli.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.Backend;
import io.ontologia.cli.OntoRun;
import io.ontologia.cli.Workspace;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(Backend.class)
class CommitCommandsTest {
    @Parameter
    Backend backend = Backend.SQLITE;

    @TempDir
    Path folder;

    private Workspace shop;

    @BeforeEach
    void prepare() {
        shop = Workspace.shop(folder, backend);
    }

    @Test
    void the_log_is_a_table_or_a_list_newest_first() {
        OntoRun text = shop.onto("commits", "--last", "2");
        OntoRun json = shop.onto("commits", "--json");

        assertThat(text.succeeded().out()).isEqualTo("""
                commit  timestamp                         operations  meta        digest
                     4  2026-03-01T09:04:00.000000+00:00           2  why=review  8d815a42bcc0
                     3  2026-03-01T09:03:00.000000+00:00           3  why=sales   c26fa5364e7d
                """);
        assertThat(json.succeeded().column("commit_id")).containsExactly(4L, 3L, 2L, 1L);
        assertThat(json.at(3))
                .isEqualTo(Map.of(
                        "commit_id",
                        1L,
                        "timestamp",
                        "2026-03-01T09:01:00.000000+00:00",
                        "operations",
                        1L,
                        "meta",
                        Map.of("why", "start"),
                        "digest",
                        json.textAt(3, "digest")));
        assertThat(json.textAt(3, "digest")).hasSize(64);
    }

    @Test
    void the_log_is_filtered_by_commit_and_metadata() {
        OntoRun since = shop.onto("commits", "--since", "2", "--json");
        OntoRun meta = shop.onto("commits", "--meta", "why=growth", "--json");
        OntoRun both = shop.onto("commits", "--since", "2", "--meta", "why=growth", "--json");
        OntoRun last = shop.onto("commits", "--since", "1", "--last", "1", "--json");

        assertThat(since.succeeded().column("commit_id")).containsExactly(4L, 3L);
        assertThat(meta.succeeded().column("commit_id")).containsExactly(2L);
        assertThat(both.succeeded().json()).isEqualTo(List.of());
        assertThat(last.succeeded().column("commit_id")).containsExactly(4L);
    }

    @Test
    void one_commit_is_shown_with_its_changes() {
        shop.ensure(
                "mixed",
                Workspace.customer("c4", "Dan", "Lead", "null", "[]"),
                Workspace.subscription("c1", "p1", 6, true));

        OntoRun json = shop.onto("commits", "examine", "--id", "5", "--json");
        OntoRun text = shop.onto("commits", "examine", "--id", "5");

        assertThat(json.succeeded().namesAt())
                .containsExactly("commit_id", "timestamp", "operations", "meta", "digest", "changes");
        assertThat(json.at("changes", 0))
                .isEqualTo(Map.of("kind", "entity", "type_name", "Customer", "key", "c4", "operation", "insert"));
        assertThat(json.namesAt("changes", 1))
                .containsExactly("kind", "type_name", "left_key", "right_key", "instance_key", "operation");
        assertThat(json.at("changes", 1, "operation")).isEqualTo("update_version");
        assertThat(text.succeeded().out()).endsWith("""
                kind      type          row       operation
                entity    Customer      c4        insert
                relation  Subscription  c1 -> p1  update_version
                """);
    }

    @Test
    void a_diff_shows_old_and_new_values() {
        OntoRun text = shop.onto("diff", "1", "4", "--type", "Customer");
        OntoRun json = shop.onto("diff", "3", "4", "--json");

        assertThat(text.succeeded().out()).isEqualTo("""
                type      row  change  field  old  new
                Customer  c2   new     age         44
                                       id          "c2"
                                       name        "Bob"
                                       tags        []
                                       tier        "Gold"
                Customer  c3   new     age         52
                                       id          "c3"
                                       name        "Cleo"
                                       tags        ["us"]
                                       tier        "Gold"
                """);
        assertThat(json.succeeded().column("key")).containsExactly("c2", "c3");
        assertThat(json.at(1, "operation")).isEqualTo("update_version");
        assertThat(json.at(1, "old", "age")).isEqualTo(51L);
        assertThat(json.at(1, "new", "age")).isEqualTo(52L);
    }

    @Test
    void a_diff_of_nothing_is_empty() {
        OntoRun same = shop.onto("diff", "4", "4", "--json");
        OntoRun other = shop.onto("diff", "3", "4", "--type", "Product", "--json");

        assertThat(same.succeeded().json()).isEqualTo(List.of());
        assertThat(other.succeeded().json()).isEqualTo(List.of());
    }

    @Test
    void bad_questions_are_refused() {
        assertThat(shop.onto("commits", "examine", "--id", "9").failedWith(4).err())
                .contains("unknown commit 9");
        assertThat(shop.onto("commits", "examine", "--id", "0").failedWith(4).err())
                .contains("unknown commit 0");
        assertThat(shop.onto("commits", "examine").failedWith(2).err()).contains("--id");
        assertThat(shop.onto("commits", "--last", "0").failedWith(2).err()).contains("--last is 0");
        assertThat(shop.onto("commits", "--since", "-1").failedWith(2).err()).contains("--since is -1");
        assertThat(shop.onto("commits", "--since", "9").failedWith(4).err()).contains("unknown commit 9");
        assertThat(shop.onto("commits", "--meta", "why").failedWith(2).err()).contains("--meta is 'why'");
        assertThat(shop.onto("diff", "1").failedWith(2).err()).contains("TO");
        assertThat(shop.onto("diff", "4", "1").failedWith(2).err()).contains("the first is newer");
        assertThat(shop.onto("diff", "1", "9").failedWith(4).err()).contains("unknown commit 9");
        assertThat(shop.onto("diff", "one", "2").failedWith(2).err()).contains("FROM");
        assertThat(shop.onto("diff", "1", "4", "--type", "Nope").failedWith(4).err())
                .contains("unknown type Nope");
    }
}
