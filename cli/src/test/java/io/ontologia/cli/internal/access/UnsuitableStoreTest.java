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

/** Places that hold no ontology, and backends that do not have a command. */
class UnsuitableStoreTest {
    @TempDir
    Path folder;

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
        OntoRun emptyFolder =
                workspace.run(with(args, "--storage-uri", "file://" + folder)).failedWith(4);

        assertThat(empty.err()).contains("holds no store");
        assertThat(text.err()).contains("not a SQLite database");
        assertThat(itsFolder.err()).contains("it is a folder");
        assertThat(emptyFolder.err()).contains("there is no Ontologia store", "onto init");
        assertThat(workspace.content()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"index verify", "index repair --apply", "compact --type Customer", "gc --older-than 7d --apply"})
    void what_has_no_meaning_on_sqlite_says_who_has_it(String args) {
        Workspace shop = Workspace.shop(folder);
        Map<String, String> before = shop.content();

        OntoRun run = shop.onto(args.split(" ")).failedWith(4);
        OntoRun missing = shop.on("missing.db", args.split(" ")).failedWith(4);

        assertThat(run.err()).contains("only object stores (s3, file) have this command");
        assertThat(missing.err()).contains("only object stores (s3, file) have this command");
        assertThat(shop.content()).isEqualTo(before);
    }

    private static String[] with(String args, String... more) {
        List<String> all = new ArrayList<>(Arrays.asList(args.split(" ")));
        all.addAll(Arrays.asList(more));
        return all.toArray(String[]::new);
    }
}
