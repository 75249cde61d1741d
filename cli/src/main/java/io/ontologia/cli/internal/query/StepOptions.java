package io.ontologia.cli.internal.query;

import io.ontologia.cli.internal.UsageError;
import io.ontologia.cli.internal.filter.WhereParser;
import io.ontologia.core.Filter;
import io.ontologia.core.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** The options that say which relations a traversal follows. */
final class StepOptions {
    private static final Pattern VIA =
            Pattern.compile("(?<name>[^:]+)(:(?<direction>forward|backward))?(:(?<depth>[0-9]+|all))?");
    private static final Pattern OF_STEP = Pattern.compile("\\s*(?<step>[0-9]+)\\s*:(?<text>.*)", Pattern.DOTALL);

    @Option(
            names = "--via",
            paramLabel = "R[:DIRECTION][:DEPTH]",
            required = true,
            description =
                    "The relation type of the next step, from whichever end was reached; left to right where both ends are of one "
                            + "type. R:backward goes from right to left, R:forward from left to right. R:3 follows up to three relations "
                            + "in a row, R:all as many as there are, and leads to each entity once, by a shortest path. May be given "
                            + "several times.")
    List<String> via = new ArrayList<>();

    @Option(
            names = "--via-where",
            paramLabel = "[STEP:]EXPR",
            description =
                    "Follow only relations for which the expression is true, in every step or in the one with this number, "
                            + "counted from 1: \"2: seat_count > 3\". May be given several times.")
    List<String> relations = new ArrayList<>();

    @Option(
            names = "--target-where",
            paramLabel = "[STEP:]EXPR",
            description =
                    "Go on only to stored entities for which the expression is true, in every step or in the one with this "
                            + "number. May be given several times.")
    List<String> targets = new ArrayList<>();

    /** The steps, first to last. */
    List<Step> steps() {
        List<Step> steps = new ArrayList<>();
        via.forEach(text -> steps.add(step(text)));
        relations.forEach(text -> restrict("--via-where", text, steps, Step::where));
        targets.forEach(text -> restrict("--target-where", text, steps, Step::whereTarget));
        return steps;
    }

    private static Step step(String text) {
        Matcher matcher = VIA.matcher(text);
        if (!matcher.matches()) {
            throw invalid(text);
        }
        Step step = Step.along(matcher.group("name"));
        String direction = matcher.group("direction");
        if (direction != null) {
            step = direction.equals("forward") ? step.forward() : step.backward();
        }
        String depth = matcher.group("depth");
        if (depth == null) {
            return step;
        }
        try {
            return depth.equals("all") ? step.toTheEnd() : step.upTo(Integer.parseInt(depth));
        } catch (NumberFormatException e) {
            throw invalid(text);
        }
    }

    private static UsageError invalid(String text) {
        return new UsageError(
                "--via is '" + text + "'",
                "write it like DependsOn, DependsOn:backward, DependsOn:3 or DependsOn:backward:all");
    }

    private static void restrict(
            String option, String text, List<Step> steps, BiFunction<Step, Filter, Step> restricted) {
        Matcher matcher = OF_STEP.matcher(text);
        if (!matcher.matches()) {
            Filter filter = WhereParser.parse(option, text);
            steps.replaceAll(step -> restricted.apply(step, filter));
            return;
        }
        long number = Long.parseLong(matcher.group("step")
                .substring(0, Math.min(9, matcher.group("step").length())));
        if (number < 1 || number > steps.size()) {
            throw new UsageError(
                    option + " names step " + matcher.group("step"),
                    "there " + (steps.size() == 1 ? "is 1 step" : "are " + steps.size() + " steps")
                            + ", counted from 1");
        }
        int index = (int) number - 1;
        steps.set(index, restricted.apply(steps.get(index), WhereParser.parse(option, matcher.group("text"))));
    }
}
