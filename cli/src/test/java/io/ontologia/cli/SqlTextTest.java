package io.ontologia.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What compiled classes no longer show: how the sources write names into SQL. */
class SqlTextTest {
    /** The sources that write SQL. */
    private static final List<Path> SOURCES = List.of(
            Path.of("../core/src/main/java/io/ontologia/core/spi"),
            Path.of("../store-sqlite/src/main/java"),
            Path.of("../store-object/src/main/java/io/ontologia/store/object/internal/engine"),
            Path.of("src/main/java/io/ontologia/cli/internal/views"));

    private static final Pattern QUOTE_IN_TEXT =
            Pattern.compile("\"(?:[^\"\\\\\n]|\\\\.)*\\\\\"(?:[^\"\\\\\n]|\\\\.)*\"");

    /** A name after a keyword of a definition, where it is not a part of the same text. */
    private static final Pattern NAME_IN_DEFINITION = Pattern.compile(
            "(?:INDEX|TABLE|VIEW|TRIGGER|COLUMN|DATABASE)(?: IF (?:NOT )?EXISTS)? \"\\s*\\+\\s*([\\w.]+)");

    /** Calls that return a quoted name, and names that are constants of the program or made of its own numbers. */
    private static final Set<String> SAFE = Set.of(
            "SqlNames.quoted",
            "quoted",
            // ViewScript: one of two constants.
            "table",
            // LatestFile, LatestCatalog: a prefix and a number of our own.
            "name",
            "catalog.table",
            // EventTables: keys of a constant map.
            "table.getKey",
            // BulkReconciler: one of two constants.
            "wanted",
            "changed");

    @Test
    void names_are_quoted_in_one_place() throws IOException {
        assertThat(matches(QUOTE_IN_TEXT))
                .allSatisfy(match -> assertThat(match).startsWith("SqlNames.java"))
                .isNotEmpty();
    }

    @Test
    void names_in_definitions_are_quoted_or_constants() throws IOException {
        assertThat(matches(NAME_IN_DEFINITION))
                .allSatisfy(match -> assertThat(SAFE).contains(match.substring(match.lastIndexOf(' ') + 1)))
                .isNotEmpty();
    }

    private static List<String> matches(Pattern pattern) throws IOException {
        List<String> found = new ArrayList<>();
        for (Path folder : SOURCES) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".java")).toList()) {
                    pattern.matcher(Files.readString(file))
                            .results()
                            .map(MatchResult::group)
                            .forEach(text -> found.add(file.getFileName() + ": " + text));
                }
            }
        }
        return found;
    }
}
