package io.ontologia.cli.internal.demo;

import io.ontologia.cli.internal.ExitCode;
import java.util.List;

/** What the demonstration tells, step by step. */
final class DemoStory {
    /** The files that the commands read. */
    static final List<String> FILES =
            List.of("models.yaml", "january.jsonl", "february.jsonl", "correction.jsonl", "broken.jsonl");

    static final List<DemoStep> STEPS = List.of(
            DemoStep.of(
                    "A model file says what there is: customers, products, and who subscribes to what.",
                    "schema",
                    "apply",
                    "--models",
                    "@models.yaml"),
            DemoStep.of(
                    "January's data arrives, one JSON line for each row. It becomes one commit that says where it came from.",
                    "import",
                    "--input",
                    "@january.jsonl",
                    "--models",
                    "@models.yaml",
                    "--apply",
                    "--on-conflict",
                    "abort",
                    "--meta",
                    "source=crm"),
            DemoStep.of(
                    "Ask for what is true now. Filters know paths, comparisons, lists, and, or, not.",
                    "query",
                    "entities",
                    "Customer",
                    "--where",
                    "tier = 'Gold' and not any(tags) = 'us'"),
            DemoStep.of(
                    "Before February's data goes in, look at what it would change. Without --apply nothing is written.",
                    "import",
                    "--input",
                    "@february.jsonl",
                    "--models",
                    "@models.yaml",
                    "--on-conflict",
                    "upsert"),
            DemoStep.of(
                    "That looks right. Rows that are already so are not written again.",
                    "import",
                    "--input",
                    "@february.jsonl",
                    "--models",
                    "@models.yaml",
                    "--apply",
                    "--on-conflict",
                    "upsert",
                    "--meta",
                    "source=crm"),
            DemoStep.of(
                    "A change of mind: Birch is not Gold after all, and Acme pauses its backups. Both must exist already.",
                    "import",
                    "--input",
                    "@correction.jsonl",
                    "--models",
                    "@models.yaml",
                    "--apply",
                    "--on-conflict",
                    "upsert",
                    "--precondition",
                    "must_exist",
                    "--meta",
                    "ticket=OPS-12"),
            DemoStep.of(
                    "Nothing was overwritten. Every version of Birch is still there:",
                    "query",
                    "entities",
                    "Customer",
                    "--where",
                    "id = 'birch'",
                    "--with-history"),
            DemoStep.of(
                    "Any past state can be asked for, by commit or by time. This was the end of January:",
                    "query",
                    "entities",
                    "Customer",
                    "--as-of",
                    "1",
                    "--order-by",
                    "name"),
            DemoStep.of(
                    "What became of January's customers until now? Birch went to Gold and back, so only its tag differs.",
                    "diff",
                    "1",
                    "3",
                    "--type",
                    "Customer"),
            DemoStep.of("Who did what, and why?", "commits"),
            DemoStep.of(
                    "Follow relations from entity to entity.",
                    "query",
                    "traverse",
                    "Customer",
                    "--via",
                    "Subscription",
                    "--where",
                    "tier = 'Gold'"),
            DemoStep.of(
                    "Sum up, group by group, also by values on the other end of a relation.",
                    "aggregate",
                    "relations",
                    "Subscription",
                    "--agg",
                    "customers=count()",
                    "--agg",
                    "seats=sum($.seats)",
                    "--group-by",
                    "$.right.name",
                    "--where",
                    "active is true"),
            new DemoStep(
                    "A bad file is refused as a whole, and every bad line is named. The good line is not imported either.",
                    List.of(
                            "import",
                            "--input",
                            "@broken.jsonl",
                            "--models",
                            "@models.yaml",
                            "--apply",
                            "--on-conflict",
                            "upsert"),
                    ExitCode.IMPORT_REFUSED),
            DemoStep.of("The store is sound.", "fsck"));

    static final List<String> NEXT = List.of(
            "onto info --stats --schema                      what a store holds",
            "onto query entities Customer --json             the same answers for programs",
            "onto export --output backup                     all rows as JSON lines, for 'onto import' elsewhere",
            "onto migrate --models models.yaml               after a change to models.yaml: what it means for the data",
            "onto --help                                     every command; each has examples");

    private DemoStory() {}
}
