package io.ontologia.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The code of the guide to events compiles, and its programs print what the guide says. A block whose fence names a file is
 * that file; a {@code text} block is what the program before it prints, in any order.
 */
@Timeout(120)
class EventsGuideIT {
    private static final Path GUIDE = Path.of("..", "docs", "guide", "events.md");
    private static final Pattern BLOCK = Pattern.compile("```(\\w+) ?(\\S*)\\R(.*?)```", Pattern.DOTALL);

    @TempDir
    Path folder;

    @Test
    void the_programs_of_the_guide_print_what_it_says() throws Exception {
        List<MatchResult> blocks =
                BLOCK.matcher(Files.readString(GUIDE)).results().toList();
        compile(blocks);

        String program = "";
        int outputs = 0;
        for (MatchResult block : blocks) {
            if (block.group(1).equals("java")) {
                program = block.group(2).replace(".java", "");
            } else if (block.group(1).equals("text")) {
                assertThat(run(program))
                        .containsExactlyInAnyOrderElementsOf(
                                block.group(3).lines().toList());
                outputs++;
            }
        }
        assertThat(outputs).isEqualTo(2);
    }

    private void compile(List<MatchResult> blocks) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("-proc:none", "-d", folder.toString()));
        for (MatchResult block : blocks) {
            if (!block.group(2).isEmpty()) {
                Path file = folder.resolve(block.group(2));
                Files.writeString(file, block.group(3));
                arguments.add(file.toString());
            }
        }
        arguments.addAll(List.of("-cp", System.getProperty("java.class.path")));
        int problems = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new));
        assertThat(problems).isZero();
    }

    private List<String> run(String program) throws IOException, InterruptedException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classPath = folder + System.getProperty("path.separator") + System.getProperty("java.class.path");
        Process process = new ProcessBuilder(
                        java, "-Xmx256m", "-cp", classPath, program, "sqlite:///" + folder.resolve("shop.db"))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(output).isZero();
            return output.lines().toList();
        } finally {
            process.destroyForcibly();
        }
    }
}
