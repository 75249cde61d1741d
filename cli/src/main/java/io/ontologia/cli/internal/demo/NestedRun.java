package io.ontologia.cli.internal.demo;

import io.ontologia.cli.Onto;
import io.ontologia.cli.internal.Invocation;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A command that ran inside this one, as if in a folder.
 *
 * @param text everything it printed, with paths as they look from that folder
 */
record NestedRun(int exitCode, String text) {

    static NestedRun of(Invocation invocation, Path folder, List<String> args) {
        Map<String, String> environment = new HashMap<>(invocation.environment());
        environment.keySet().removeIf(name -> name.startsWith("ONTOLOGIA_") && !name.equals("ONTOLOGIA_TERMINAL"));
        environment.put("ONTOLOGIA_DB", folder.resolve("onto.db").toString());
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        PrintStream both = new PrintStream(text, true, StandardCharsets.UTF_8);
        Onto onto = new Onto(environment, InputStream.nullInputStream(), both, both, invocation.clock());
        int exitCode = onto.run(args.toArray(String[]::new));
        return new NestedRun(
                exitCode,
                text.toString(StandardCharsets.UTF_8)
                        .replace(folder + folder.getFileSystem().getSeparator(), ""));
    }
}
