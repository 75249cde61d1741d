package io.ontologia.cli.internal.demo;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One command of the tour.
 *
 * @param story what to tell before it
 * @param arguments the command line, after {@code onto}
 * @param exitCode how it ends
 */
record DemoStep(String story, List<String> arguments, int exitCode) {

    /** A command that succeeds. */
    static DemoStep of(String story, String... arguments) {
        return new DemoStep(story, Arrays.asList(arguments), 0);
    }

    /** A command that is refused. */
    static DemoStep refused(int exitCode, String story, String... arguments) {
        return new DemoStep(story, Arrays.asList(arguments), exitCode);
    }

    /** The command as a person types it into a shell. */
    String shellLine() {
        return "onto " + arguments.stream().map(DemoStep::quoted).collect(Collectors.joining(" "));
    }

    private static String quoted(String word) {
        if (word.matches("[\\w./:=-]+")) {
            return word;
        }
        return word.indexOf('\'') < 0 ? "'" + word + "'" : "\"" + word + "\"";
    }

    /** The tour: a small catalogue, how it changes, and what can be asked about it. */
    static List<DemoStep> tour() {
        return List.of(
                of(
                        "Types come first. They are in models.yaml; a store registers them once.",
                        "schema",
                        "apply",
                        "--models",
                        "models.yaml"),
                of(
                        "A month of data. Without --apply an import only says what it would do.",
                        "import",
                        "--input",
                        "january.jsonl",
                        "--models",
                        "models.yaml"),
                of(
                        "So far nothing is written. Now for real, as one commit that says where it came from.",
                        "import",
                        "--input",
                        "january.jsonl",
                        "--models",
                        "models.yaml",
                        "--apply",
                        "--on-conflict",
                        "abort",
                        "--meta",
                        "source=crm",
                        "--meta",
                        "month=january"),
                of(
                        "Who are our Gold customers?",
                        "query",
                        "entities",
                        "Customer",
                        "--where",
                        "tier = 'Gold'",
                        "--order-by",
                        "$.name"),
                of(
                        "The next month. It repeats much of what is there already: only what differs becomes a new version.",
                        "import",
                        "--input",
                        "february.jsonl",
                        "--models",
                        "models.yaml",
                        "--apply",
                        "--on-conflict",
                        "upsert",
                        "--meta",
                        "source=crm",
                        "--meta",
                        "month=february"),
                of("Every change is a commit.", "commits"),
                of("What did the last one do?", "commits", "examine", "--id", "2"),
                of("From what to what?", "diff", "1", "2"),
                of("The Gold customers now ...", "query", "entities", "Customer", "--where", "tier = 'Gold'"),
                of(
                        "... and as they were after the first commit. Nothing is ever lost.",
                        "query",
                        "entities",
                        "Customer",
                        "--where",
                        "tier = 'Gold'",
                        "--as-of",
                        "1"),
                of(
                        "The whole life of one customer.",
                        "query",
                        "entities",
                        "Customer",
                        "--where",
                        "id = 'c1'",
                        "--with-history"),
                of(
                        "Relations can be asked about both their own fields and the entities at their ends.",
                        "query",
                        "relations",
                        "Subscription",
                        "--filter",
                        "$.right.name",
                        "eq",
                        "\"Analytics\"",
                        "--order-by",
                        "$.seat_count:desc"),
                of(
                        "Seats by state of the subscription.",
                        "aggregate",
                        "relations",
                        "Subscription",
                        "--agg",
                        "seats=sum($.seat_count)",
                        "--agg",
                        "subscriptions=count()",
                        "--group-by",
                        "$.active"),
                refused(
                        6,
                        "And when the data is wrong? Every mistake is named with its line, and nothing is written.",
                        "import",
                        "--input",
                        "mistakes.jsonl",
                        "--models",
                        "models.yaml",
                        "--apply",
                        "--on-conflict",
                        "abort"),
                of(
                        "Everything is also there for programs.",
                        "query",
                        "entities",
                        "Product",
                        "--order-by",
                        "$.price:desc",
                        "--limit",
                        "1",
                        "--json"));
    }
}
