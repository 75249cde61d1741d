package io.ontologia.cli.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.Backend;
import io.ontologia.cli.OntoRun;
import io.ontologia.cli.Workspace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
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
                commit  timestamp                         operations  author  reason  meta        digest
                     4  2026-03-01T09:04:00.000000+00:00           2                  why=review  8d815a42bcc0
                     3  2026-03-01T09:03:00.000000+00:00           3                  why=sales   c26fa5364e7d
                """);
        assertThat(json.succeeded().column("commit_id")).containsExactly(4L, 3L, 2L, 1L);
        assertThat(json.namesAt(3))
                .containsExactly("commit_id", "timestamp", "operations", "author", "reason", "meta", "digest");
        assertThat(json.at(3, "timestamp")).isEqualTo("2026-03-01T09:01:00.000000+00:00");
        assertThat(json.at(3, "operations")).isEqualTo(1L);
        assertThat(json.at(3, "author")).isNull();
        assertThat(json.at(3, "meta")).isEqualTo(Map.of("why", "start"));
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

    private OntoRun importAs(String author, String line, String... more) {
        Path input = shop.file("by-" + author + ".jsonl", line + "\n");
        List<String> args = new ArrayList<>(List.of(
                "import",
                "--input",
                input.toString(),
                "--apply",
                "--on-conflict",
                "upsert",
                "--storage-uri",
                shop.uri()));
        args.addAll(List.of(more));
        return shop.in(Map.of("ONTOLOGIA_AUTHOR", author), args.toArray(String[]::new));
    }

    @Test
    void author_and_reason_are_recorded_shown_and_filtered_by() {
        importAs("ann@laptop", Workspace.product("p1", "Insight"), "-m", "new name")
                .succeeded();
        importAs("bob", Workspace.product("p1", "Insights"), "--reason", "typo", "--meta", "ticket=7")
                .succeeded();

        OntoRun text = shop.onto("commits", "--last", "2");
        OntoRun examined = shop.onto("commits", "examine", "--id", "5");

        assertThat(text.succeeded()
                        .out()
                        .lines()
                        .map(line -> line.replaceAll(" +", " "))
                        .toList())
                .satisfiesExactly(
                        headers -> assertThat(headers).startsWith("commit timestamp operations author reason meta"),
                        newest -> assertThat(newest).contains(" 1 bob typo ticket=7 "),
                        before -> assertThat(before).contains(" 1 ann@laptop new name "));
        assertThat(examined.succeeded().out()).contains("ann@laptop").contains("new name");
        assertThat(ids("--author", "ann")).containsExactly(5L);
        assertThat(ids("--reason", "typo")).containsExactly(6L);
        assertThat(ids("--author", "bob", "--type", "Customer")).isEmpty();
    }

    @Test
    void without_a_setting_the_author_is_the_user_and_the_machine() {
        Path input = shop.file("in.jsonl", Workspace.product("p9", "New") + "\n");

        OntoRun.onto(
                        "import",
                        "--input",
                        input.toString(),
                        "--apply",
                        "--on-conflict",
                        "upsert",
                        "--storage-uri",
                        shop.uri())
                .succeeded();

        assertThat(shop.onto("commits", "--json").textAt(0, "author"))
                .startsWith(System.getProperty("user.name") + "@");
    }

    @Test
    void an_author_and_a_reason_are_given_once() {
        OntoRun run = importAs("bob", Workspace.product("p1", "x"), "--reason", "a", "--meta", "reason=b");

        assertThat(run.failedWith(2).err()).contains("--meta and --reason both give a reason");
    }

    private List<@Nullable Object> ids(String... filters) {
        List<String> args = new ArrayList<>(List.of("commits", "--json"));
        args.addAll(List.of(filters));
        OntoRun run = shop.onto(args.toArray(String[]::new));
        assertThat(run.exitCode()).as(run.err() + run.out()).isZero();
        return run.column("commit_id");
    }

    @Test
    void the_log_is_filtered_by_time_type_and_key() {
        assertThat(ids("--since", "2026-03-01T09:03:00Z")).containsExactly(4L, 3L);
        assertThat(ids("--until", "2026-03-01T09:03:00Z")).containsExactly(3L, 2L, 1L);
        assertThat(ids("--since", "1", "--until", "3")).containsExactly(3L, 2L);
        assertThat(ids("--type", "Customer")).containsExactly(4L, 2L, 1L);
        assertThat(ids("--type", "Customer", "--key", "c2")).containsExactly(4L, 2L);
        assertThat(ids("--type", "Customer", "--key", "c2", "--until", "2")).containsExactly(2L);
        assertThat(ids("--type", "Subscription", "--left-key", "c1", "--right-key", "p2"))
                .containsExactly(3L);
    }

    @Test
    void the_history_of_a_row_shows_time_author_and_reason() {
        importAs("ann", Workspace.customer("c2", "Rob", "Gold", "44", "[]"), "-m", "his name")
                .succeeded();

        OntoRun json = shop.onto("query", "entities", "Customer", "--where", "id = 'c2'", "--with-history", "--json");
        OntoRun text = shop.onto("query", "entities", "Customer", "--where", "id = 'c2'", "--with-history");

        assertThat(json.succeeded().namesAt(0))
                .containsExactly("key", "fields", "commit_id", "timestamp", "author", "reason");
        assertThat(json.column("author")).containsExactly(null, null, "ann");
        assertThat(json.column("reason")).containsExactly(null, null, "his name");
        assertThat(json.column("timestamp"))
                .startsWith("2026-03-01T09:02:00.000000+00:00", "2026-03-01T09:04:00.000000+00:00");
        assertThat(text.succeeded().out().lines().findFirst().orElseThrow())
                .endsWith("commit  time                              author  reason");
        assertThat(text.out()).contains("ann     his name");
    }

    @Test
    void a_diff_takes_times() {
        OntoRun run = shop.onto("diff", "2026-03-01T09:03:30Z", "now", "--json");

        assertThat(run.succeeded().column("key")).containsExactly("c2", "c3");
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
                .containsExactly(
                        "commit_id", "timestamp", "operations", "author", "reason", "meta", "digest", "changes");
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
        assertThat(shop.onto("diff", "one", "2").failedWith(2).err()).contains("FROM is 'one'");
        assertThat(shop.onto("commits", "--key", "c1").failedWith(2).err()).contains("Add --type");
        assertThat(shop.onto("commits", "--type", "Customer", "--left-key", "c1")
                        .failedWith(2)
                        .err())
                .contains("--right-key");
        assertThat(shop.onto("commits", "--type", "Subscription", "--key", "c1")
                        .failedWith(4)
                        .err())
                .contains("unknown entity type Subscription");
        assertThat(shop.onto("commits", "--type", "Nope").failedWith(4).err()).contains("unknown type Nope");
        assertThat(shop.onto("diff", "1", "4", "--type", "Nope").failedWith(4).err())
                .contains("unknown type Nope");
    }
}
