package io.ontologia.cli.internal.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.OntoRun;
import io.ontologia.cli.Workspace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that only read never create a database, nor change a byte of one, nor leave files beside it. */
class ReadOnlyTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "query entities Customer --where tier='Gold' --order-by name",
                "query entities Customer --with-history",
                "query entities Customer --as-of 2",
                "query relations Subscription --where left.tier='Gold'",
                "query traverse Customer --via Subscription",
                "aggregate entities Customer --agg n=count() --group-by tier",
                "commits",
                "commits examine --id 1",
                "diff 1 4",
                "schema export --kind entity --type Customer",
                "schema history --kind entity --type Customer",
                "schema drop relation Subscription --purge-history",
                "info --stats --schema",
                "fsck",
                "lock show",
            })
    void nothing_is_created_and_nothing_is_changed(String args) {
        Workspace shop = Workspace.shop(folder);
        Map<String, String> before = shop.content();
        List<String> missing = new ArrayList<>(Arrays.asList(args.split(" ")));
        missing.addAll(List.of("--db", shop.path("missing.db").toString()));

        OntoRun run = shop.onto(args.split(" "));
        OntoRun elsewhere = shop.run(missing.toArray(String[]::new)).failedWith(4);

        run.succeeded();
        assertThat(elsewhere.err()).contains("missing.db: there is no such file", "onto init");
        assertThat(shop.content()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"query entities Customer", "commits", "diff 0 1"})
    void a_place_that_holds_no_ontology_is_refused_and_stays_as_it_is(String args) {
        Workspace workspace = new Workspace(folder);
        workspace.file("empty.db", "");
        workspace.file("text.db", "this is a text and certainly not a database of any kind, whatever its name says");
        Map<String, String> before = workspace.content();

        OntoRun empty = workspace
                .run(with(args, "--db", workspace.path("empty.db").toString()))
                .failedWith(4);
        OntoRun text = workspace
                .run(with(args, "--db", workspace.path("text.db").toString()))
                .failedWith(2);
        OntoRun itsFolder = workspace.run(with(args, "--db", folder.toString())).failedWith(2);
        OntoRun objects =
                workspace.run(with(args, "--storage-uri", "s3://bucket/prefix")).failedWith(4);

        assertThat(empty.err()).contains("holds no store");
        assertThat(text.err()).contains("not a SQLite database");
        assertThat(itsFolder.err()).contains("it is a folder");
        assertThat(objects.err()).contains("object stores do not hold ontologies yet, only the sqlite backend does");
        assertThat(workspace.content()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"index verify", "index repair --apply", "compact --type Customer", "gc --older-than 7d --apply"})
    void what_has_no_meaning_on_sqlite_says_who_has_it(String args) {
        Workspace shop = Workspace.shop(folder);
        Map<String, String> before = shop.content();

        OntoRun run = shop.onto(args.split(" ")).failedWith(4);
        OntoRun objects =
                shop.run(with(args, "--storage-uri", "s3://bucket/prefix")).failedWith(4);

        assertThat(run.err()).contains("only object stores (s3, file) have this command");
        assertThat(objects.err()).contains("object stores do not hold ontologies yet");
        assertThat(shop.content()).isEqualTo(before);
    }

    private static String[] with(String args, String... more) {
        List<String> all = new ArrayList<>(Arrays.asList(args.split(" ")));
        all.addAll(Arrays.asList(more));
        return all.toArray(String[]::new);
    }
}
