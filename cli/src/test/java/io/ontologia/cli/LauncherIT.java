package io.ontologia.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.kernel.Clock;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code ./onto} in a checkout whose Maven and Java only note that they were called. */
@DisabledOnOs(OS.WINDOWS)
class LauncherIT {
    @TempDir
    Path folder;

    private Path checkout;
    private Path source;
    private Path builds;
    private Path bin;

    @BeforeEach
    void makeCheckout() throws IOException {
        checkout = Files.createDirectories(folder.resolve("a check out"));
        Files.copy(Path.of("..", "onto"), checkout.resolve("onto"));
        source = Files.createDirectories(checkout.resolve("cli/src/main")).resolve("Source.java");
        Files.writeString(source, "source");
        Files.writeString(checkout.resolve("pom.xml"), "pom");
        Files.writeString(checkout.resolve("cli/pom.xml"), "pom");
        builds = folder.resolve("builds");
        bin = Files.createDirectories(folder.resolve("bin"));
        script("mvn", "echo built >>'" + builds + "'; echo jar >cli/target/onto.jar");
        java("17.0.15");
    }

    @Test
    void the_first_run_builds_and_says_so_and_the_second_only_runs() throws Exception {
        OntoRun first = run("query", "two words");
        OntoRun second = run("query", "two words");

        assertThat(first.out()).endsWith("-jar " + checkout + "/cli/target/console/onto.jar query two words\n");
        assertThat(first.err())
                .startsWith("onto: building for the first time: ")
                .hasLineCount(1);
        assertThat(second.out()).isEqualTo(first.out());
        assertThat(second.err()).isEmpty();
        assertThat(builds).hasContent("built");
    }

    @Test
    void files_about_crashes_go_where_only_their_owner_can_read_them() throws Exception {
        OntoRun run = run("anything");

        Path crash = folder.resolve("home/.cache/ontologia/crash");
        assertThat(run.out()).contains("-XX:ErrorFile=" + crash + "/hs_err_pid%p.log ");
        assertThat(Files.getPosixFilePermissions(crash)).isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void the_exit_code_is_that_of_the_program() throws Exception {
        assertThat(run("exit-with-5").exitCode()).isEqualTo(5);
        assertThat(run("anything").exitCode()).isZero();
    }

    @Test
    void a_changed_source_is_built_again_once() throws Exception {
        run();
        try (Stream<Path> everything = Files.walk(checkout)) {
            for (Path path : everything.toList()) {
                age(path, 3);
            }
        }
        age(checkout.resolve("cli/target/onto.stamp"), 2);
        age(source, 1);

        OntoRun changed = run();
        OntoRun unchanged = run();

        assertThat(changed.err()).startsWith("onto: sources have changed");
        assertThat(unchanged.err()).isEmpty();
        assertThat(builds).hasContent("built\nbuilt");
    }

    @Test
    void it_works_through_links_and_from_everywhere() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("other link"));
        Files.createSymbolicLink(folder.resolve("other link"), Path.of("a check out", "onto"));

        OntoRun run = finish(start(Path.of("/"), link.toString(), "x"));

        assertThat(run.out()).contains(checkout + "/cli/target/console/onto.jar x");
    }

    @Test
    void of_many_first_runs_at_once_one_builds_and_the_others_wait() throws Exception {
        script("mvn", "sleep 1; echo built >>'" + builds + "'; echo jar >cli/target/onto.jar");
        List<Process> running = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            running.add(start(folder, checkout.resolve("onto").toString()));
        }

        List<OntoRun> runs = new ArrayList<>();
        for (Process process : running) {
            runs.add(finish(process));
        }

        assertThat(runs).allSatisfy(run -> assertThat(run.exitCode()).isZero());
        assertThat(builds).hasContent("built");
    }

    @Test
    void a_build_that_was_killed_does_not_block_the_next_one() throws Exception {
        Process gone = new ProcessBuilder("true").start();
        gone.waitFor();
        Files.createDirectories(checkout.resolve("target"));
        Files.createSymbolicLink(checkout.resolve("target/onto-build.lock"), Path.of(Long.toString(gone.pid())));

        OntoRun run = run();

        assertThat(run.exitCode()).isZero();
        assertThat(checkout.resolve("target")).isEmptyDirectory();
    }

    @Test
    void a_failed_build_shows_what_maven_said_and_is_tried_again() throws Exception {
        script("mvn", "echo 'no such symbol'; exit 1");

        OntoRun failed = run();
        script("mvn", "echo built >>'" + builds + "'; echo jar >cli/target/onto.jar");
        OntoRun repaired = run();

        assertThat(failed.exitCode()).isEqualTo(1);
        assertThat(failed.out()).isEmpty();
        assertThat(failed.err()).contains("no such symbol\n", "error: cannot build: Maven failed");
        assertThat(repaired.exitCode()).isZero();
    }

    @Test
    void a_java_that_is_too_old_or_missing_is_named() throws Exception {
        java("11.0.2");
        OntoRun old = run();
        java("1.8.0_372");
        OntoRun veryOld = run();
        Files.delete(bin.resolve("java"));
        OntoRun missing = run();

        assertThat(old.failedWith(1).err()).contains("it is Java 11. Install a JDK 17 or newer");
        assertThat(veryOld.failedWith(1).err()).contains("it is Java 1.8. Install a JDK 17 or newer");
        assertThat(missing.err()).startsWith("error: cannot start Java: JAVA_HOME is ");
    }

    @Test
    void the_library_of_the_engine_is_unpacked_once_and_not_at_every_start() throws Exception {
        String jar = Path.of(System.getProperty("java.home"), "bin", "jar").toString();
        script("jar", "exec '" + jar + "' \"$@\"");
        Path driver = folder.resolve("driver");
        for (String library : List.of("linux_amd64", "linux_arm64", "osx_universal", "windows_amd64")) {
            Files.createDirectories(driver);
            Files.writeString(driver.resolve("libduckdb_java.so_" + library), library);
        }
        Files.writeString(Files.createDirectories(driver.resolve("org/duckdb")).resolve("Driver.class"), "class");
        Files.writeString(
                Files.createDirectories(driver.resolve("META-INF/services")).resolve("java.sql.Driver"), "x");
        script("mvn", """
                mkdir -p cli/target/lib; echo jar >cli/target/onto.jar
                '%s' cf cli/target/lib/duckdb_jdbc-1.jar -C '%s' .
                """.formatted(jar, driver));

        assertThat(run("x").err()).startsWith("onto: building").hasLineCount(1);

        Path lib = checkout.resolve("cli/target/console/lib");
        try (Stream<Path> files = Files.list(lib);
                JarFile slim = new JarFile(lib.resolve("duckdb_jdbc-1.jar").toFile())) {
            List<String> libraries = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("libduckdb"))
                    .toList();
            assertThat(libraries).hasSize(1);
            // What Maven put there, and checks, is left as it is.
            assertThat(checkout.resolve("cli/target/lib/duckdb_jdbc-1.jar")
                            .toFile()
                            .length())
                    .isGreaterThan(lib.resolve("duckdb_jdbc-1.jar").toFile().length());
            assertThat(lib.resolve(libraries.get(0)))
                    .hasContent(libraries.get(0).replace("libduckdb_java.so_", ""));
            assertThat(slim.stream().filter(entry -> !entry.isDirectory()).map(JarEntry::getName))
                    .containsExactlyInAnyOrder(
                            "META-INF/MANIFEST.MF", "META-INF/services/java.sql.Driver", "org/duckdb/Driver.class");
        }
        assertThat(checkout.resolve("cli/target/console/driver")).doesNotExist();
    }

    private OntoRun run(String... args) throws Exception {
        List<String> command = new ArrayList<>(List.of(checkout.resolve("onto").toString()));
        command.addAll(List.of(args));
        return finish(start(folder, command.toArray(String[]::new)));
    }

    private Process start(Path workingFolder, String... command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(workingFolder.toFile());
        builder.environment().put("PATH", bin + ":" + builder.environment().get("PATH"));
        builder.environment().put("JAVA_HOME", folder.toString());
        builder.environment().put("HOME", folder.resolve("home").toString());
        return builder.start();
    }

    private static OntoRun finish(Process process) throws IOException, InterruptedException {
        String out = text(process.getInputStream());
        String err = text(process.getErrorStream());
        return new OntoRun(process.waitFor(), out, err);
    }

    private void java(String version) throws IOException {
        script("java", """
                case "$*" in
                  -version) echo 'openjdk version "%s" 2025-04-15' >&2 ;;
                  *exit-with-5) exit 5 ;;
                  *) echo "$*" ;;
                esac
                """.formatted(version));
    }

    private void script(String name, String body) throws IOException {
        Path file = Files.writeString(bin.resolve(name), "#!/bin/sh\n" + body);
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private static void age(Path path, int hours) throws IOException {
        Instant now = Clock.system().now();
        Files.setLastModifiedTime(path, FileTime.from(now.minus(Duration.ofHours(hours))));
    }

    private static String text(InputStream stream) throws IOException {
        return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
}
