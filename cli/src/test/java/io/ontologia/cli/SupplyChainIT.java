package io.ontologia.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ontologia.kernel.Json;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What the console is distributed with: the libraries that the build copied, the SBOM that it made of them, their checksums and their
 * licences. With the property {@code ontologia.supplychain.write} checksums and NOTICE are written instead of compared.
 */
class SupplyChainIT {
    private static final Path CONSOLE = Path.of(System.getProperty("basedir", "."));
    private static final Path SBOM = CONSOLE.resolve("target/onto-sbom.json");
    private static final Path CHECKSUMS = CONSOLE.resolve("library-checksums.xml");
    private static final Path NOTICE = CONSOLE.resolve("../NOTICE");
    private static final String LIST = "\nLibraries:\n";

    /** Licences that allow to distribute a library with software under the Apache License 2.0. */
    private static final Set<String> ALLOWED = Set.of("Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "MIT", "MIT-0");

    private static final Pattern RULE =
            Pattern.compile("<file>\\$\\{project.build.directory}/lib/([^<]+)</file>\\s*<checksum>([0-9a-f]{64})<");

    private final Map<String, Library> libraries = new TreeMap<>();

    private record Library(String name, String jar, String sha256, Set<String> licences) {
        String line() {
            return "  " + name + " (" + String.join(" or ", licences) + ")";
        }
    }

    @BeforeEach
    void readSbom() throws IOException {
        // Maven makes it before it runs these tests. Other ways to run them may not have it.
        assumeTrue(Files.exists(SBOM) || System.getProperty("surefire.real.class.path") != null);
        JsonObject document = JsonObject.of("the SBOM", Json.parse(Files.readString(SBOM)));
        for (JsonObject component : document.objects("components")) {
            if (!component.text("group").equals("io.ontologia")) {
                String jar = component.text("name") + "-" + component.text("version") + ".jar";
                libraries.put(
                        jar,
                        new Library(
                                component.text("group") + ":" + component.text("name") + " "
                                        + component.text("version"),
                                jar,
                                sha256(component),
                                licences(component)));
            }
        }
    }

    private static String sha256(JsonObject component) {
        return component.objects("hashes").stream()
                .filter(hash -> hash.text("alg").equals("SHA-256"))
                .map(hash -> hash.text("content"))
                .findFirst()
                .orElse("");
    }

    private static Set<String> licences(JsonObject component) {
        Set<String> licences = new TreeSet<>();
        for (JsonObject one : component.objects("licenses")) {
            licences.add(
                    one.fields().containsKey("expression")
                            ? one.text("expression")
                            : one.object("license")
                                    .optionalText("id")
                                    .orElseGet(() -> one.object("license").text("name")));
        }
        return licences;
    }

    @Test
    void the_sbom_lists_every_library_with_its_checksum() throws IOException {
        Map<String, String> copied = new TreeMap<>();
        try (Stream<Path> jars = Files.list(CONSOLE.resolve("target/lib"))) {
            for (Path jar : jars.toList()) {
                if (!jar.getFileName().toString().startsWith("ontologia-")) {
                    copied.put(jar.getFileName().toString(), Sha256.hex(jar));
                }
            }
        }
        Map<String, String> listed = new TreeMap<>();
        libraries.values().forEach(library -> listed.put(library.jar(), library.sha256()));

        assertThat(listed).isEqualTo(copied).isNotEmpty();
    }

    @Test
    void the_build_verifies_the_checksum_of_every_library() throws IOException {
        if (Boolean.getBoolean("ontologia.supplychain.write")) {
            writeChecksums();
        }
        Map<String, String> verified = new TreeMap<>();
        Matcher rule = RULE.matcher(Files.readString(CHECKSUMS));
        while (rule.find()) {
            verified.put(rule.group(1), rule.group(2));
        }
        Map<String, String> listed = new TreeMap<>();
        libraries.values().forEach(library -> listed.put(library.jar(), library.sha256()));

        assertThat(verified).isEqualTo(listed);
    }

    @Test
    void every_licence_is_on_the_list_of_those_that_are_allowed() {
        List<String> refused = new ArrayList<>();
        for (Library library : libraries.values()) {
            if (library.licences().stream().noneMatch(ALLOWED::contains)) {
                refused.add(library.line());
            }
        }

        assertThat(refused).isEmpty();
    }

    @Test
    void the_notice_names_every_library_and_its_licence() throws IOException {
        String expected = String.join(
                        "\n",
                        libraries.values().stream().map(Library::line).sorted().toList())
                + "\n";
        String notice = Files.readString(NOTICE);
        String before = notice.substring(0, notice.indexOf(LIST) + LIST.length());
        if (Boolean.getBoolean("ontologia.supplychain.write")) {
            Files.writeString(NOTICE, before + expected);
        }

        assertThat(Files.readString(NOTICE).substring(before.length())).isEqualTo(expected);
    }

    private void writeChecksums() throws IOException {
        String old = Files.readString(CHECKSUMS);
        StringBuilder rules = new StringBuilder(old.substring(0, old.indexOf("  <rules>\n") + "  <rules>\n".length()));
        for (Library library : libraries.values()) {
            rules.append("    <requireFileChecksum>\n      <file>${project.build.directory}/lib/")
                    .append(library.jar())
                    .append("</file>\n      <checksum>")
                    .append(library.sha256())
                    .append("</checksum>\n      <type>sha256</type>\n    </requireFileChecksum>\n");
        }
        Files.writeString(CHECKSUMS, rules.append("  </rules>\n</enforcer>\n"));
    }
}
