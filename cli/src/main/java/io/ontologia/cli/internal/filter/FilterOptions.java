package io.ontologia.cli.internal.filter;

import io.ontologia.core.Filter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options that say which rows are meant; all of them must hold. */
public final class FilterOptions {
    @Option(
            names = "--filter",
            arity = "3",
            paramLabel = "PATH OP JSON",
            hideParamSyntax = true,
            description =
                    "Only rows whose value compares so: '$.tier' eq '\"Gold\"'. OP is eq, ne, gt, gte, lt, lte, in, is_null, "
                            + "is_not_null, starts_with, ends_with or contains, each also with any_ in front for some item of a list. "
                            + "May be given several times.")
    List<String> triples = new ArrayList<>();

    @Option(
            names = "--where",
            paramLabel = "EXPR",
            description =
                    "Only rows for which the expression is true: \"tier = 'Gold' and not (age < 30 or age is null)\". May be "
                            + "given several times.")
    List<String> expressions = new ArrayList<>();

    /** The filter that they make together, when there is one. */
    public Optional<Filter> filter() {
        List<Filter> parts = new ArrayList<>();
        for (int i = 0; i < triples.size(); i += 3) {
            parts.add(FilterTriple.parse(triples.get(i), triples.get(i + 1), triples.get(i + 2)));
        }
        for (String expression : expressions) {
            parts.add(WhereParser.parse("--where", expression));
        }
        return parts.isEmpty()
                ? Optional.empty()
                : Optional.of(parts.size() == 1 ? parts.get(0) : new Filter.And(parts));
    }
}
