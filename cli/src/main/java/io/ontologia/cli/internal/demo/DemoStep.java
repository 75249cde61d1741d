package io.ontologia.cli.internal.demo;

import io.ontologia.cli.internal.ExitCode;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One command of the demonstration.
 *
 * @param story what it shows
 * @param args its arguments; one that begins with {@code @} names a file of the demonstration's folder
 * @param expected how it ends
 */
record DemoStep(String story, List<String> args, ExitCode expected) {
    private static final String FILE = "@";

    static DemoStep of(String story, String... args) {
        return new DemoStep(story, List.of(args), ExitCode.SUCCESS);
    }

    /** The arguments for running it anywhere. */
    List<String> argsIn(Path folder) {
        return args.stream()
                .map(arg ->
                        arg.startsWith(FILE) ? folder.resolve(arg.substring(1)).toString() : arg)
                .toList();
    }

    /** The command line for running it in the folder, as one would type it. */
    String commandLine() {
        return "onto " + args.stream().map(DemoStep::quoted).collect(Collectors.joining(" "));
    }

    private static String quoted(String arg) {
        String plain = arg.startsWith(FILE) ? arg.substring(1) : arg;
        if (plain.matches("[A-Za-z0-9_./:=$,+-]+")) {
            return plain;
        }
        return plain.contains("'") ? "\"" + plain + "\"" : "'" + plain + "'";
    }
}
