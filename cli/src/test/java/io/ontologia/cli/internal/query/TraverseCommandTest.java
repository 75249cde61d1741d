package io.ontologia.cli.internal.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.Backend;
import io.ontologia.cli.OntoRun;
import io.ontologia.cli.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Traversals with a direction, a depth and filters, of packages that depend on each other. */
@ParameterizedClass
@EnumSource(Backend.class)
class TraverseCommandTest {
    private static final String MODEL = """
            entities:
              Package:
                fields:
                  name: {type: str, primary_key: true}
                  size: int
            relations:
              DependsOn:
                left: Package
                right: Package
                fields: {kind: str}
            """;

    @Parameter
    Backend backend = Backend.SQLITE;

    @TempDir
    Path folder;

    private Workspace packages;

    @BeforeEach
    void importPackages() throws IOException {
        packages = new Workspace(folder, backend);
        List<String> lines = new ArrayList<>();
        for (String name : List.of("a", "b", "c", "d")) {
            lines.add("{'type_kind':'entity','type_name':'Package','key':'%1$s','fields':{'name':'%1$s','size':%2$d}}"
                    .formatted(name, name.charAt(0) - 'a'));
        }
        for (String ends : List.of("a b depends", "b c depends", "c a suggests", "c missing depends")) {
            String[] words = ends.split(" ", -1);
            lines.add(("{'type_kind':'relation','type_name':'DependsOn','left_key':'%s','right_key':'%s',"
                            + "'fields':{'kind':'%s'}}")
                    .formatted(words[0], words[1], words[2]));
        }
        Path model = Files.writeString(folder.resolve("packages.yaml"), MODEL);
        Path input = Files.writeString(
                folder.resolve("packages.jsonl"), String.join("\n", lines).replace('\'', '"') + "\n");
        packages.onto(
                        "import",
                        "--input",
                        input.toString(),
                        "--models",
                        model.toString(),
                        "--apply",
                        "--on-conflict",
                        "abort")
                .succeeded();
    }

    private OntoRun traverse(String... arguments) {
        List<String> words = new ArrayList<>(List.of("query", "traverse", "Package"));
        words.addAll(Arrays.asList(arguments));
        return packages.onto(words.toArray(String[]::new));
    }

    @Test
    void what_depends_on_a_package_is_listed_with_its_depth() {
        OntoRun json =
                traverse("--where", "key = 'c'", "--via", "DependsOn:backward:all", "--without-relations", "--json");
        OntoRun text = traverse(
                "--where",
                "key = 'a'",
                "--via",
                "DependsOn:all",
                "--without-relations",
                "--via-where",
                "kind = 'depends'");

        assertThat(json.succeeded().column("key")).containsExactly("b", "a", "c");
        assertThat(json.column("depth")).containsExactly(1L, 2L, 3L);
        assertThat(json.namesAt(0)).containsExactly("key", "fields", "commit_id", "depth");
        assertThat(text.succeeded().out()).isEqualTo("""
                depth  key                   size  commit
                    1  b                        1       1
                    2  c                        2       1
                    3  missing (not stored)     -       -
                """);
    }

    @Test
    void paths_of_any_length_are_listed_with_their_depth() {
        OntoRun text = traverse("--where", "key = 'a'", "--via", "DependsOn:2");
        OntoRun json = traverse("--where", "key = 'a'", "--via", "DependsOn:all", "--json");

        assertThat(text.succeeded().out()).isEqualTo("""
                Package  depth  path
                a            1  b
                a            2  b > c
                """);
        assertThat(json.succeeded().column("depth")).containsExactly(1L, 2L, 3L, 3L);
        assertThat(json.at(3, "relations", 2, "right_key")).isEqualTo("missing");
        assertThat(json.at(3, "relations", 2, "target")).isNull();
    }

    @Test
    void each_step_has_its_own_filters_and_roots_can_be_kept() {
        OntoRun filtered = traverse(
                "--via",
                "DependsOn",
                "--via",
                "DependsOn",
                "--via-where",
                "2: kind = 'suggests'",
                "--target-where",
                "1: size > 0",
                "--json");
        OntoRun kept = traverse("--via", "DependsOn", "--target-where", "size > 1", "--keep-roots");

        assertThat(filtered.succeeded().column("depth")).containsExactly(2L);
        assertThat(filtered.at(0, "source", "key")).isEqualTo("b");
        assertThat(kept.succeeded().out()).isEqualTo("""
                Package  via DependsOn       Package
                a        -                   -
                b        {"kind":"depends"}  c
                c        -                   -
                d        -                   -
                """);
    }

    @Test
    void bad_steps_are_refused() {
        assertThat(traverse("--via", "DependsOn:sideways").failedWith(2).err())
                .contains("--via is 'DependsOn:sideways'");
        assertThat(traverse("--via", "DependsOn:0").failedWith(2).err()).contains("it may follow 0 relations");
        assertThat(traverse("--via", "DependsOn", "--via-where", "2: kind = 'x'")
                        .failedWith(2)
                        .err())
                .contains("--via-where names step 2");
        assertThat(traverse("--via", "DependsOn", "--target-where", "no = 1")
                        .failedWith(2)
                        .err())
                .contains("has no field 'no'");
        assertThat(traverse("--via", "DependsOn:all", "--without-relations", "--max-reached", "1")
                        .failedWith(2)
                        .err())
                .contains("there are more than 1");
        assertThat(traverse("--via", "DependsOn", "--keep-roots", "--without-relations")
                        .failedWith(2)
                        .err())
                .contains("eave one of them out");
    }
}
