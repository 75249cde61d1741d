package io.ontologia.cli.internal.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.OntoRun;
import io.ontologia.cli.Workspace;
import io.ontologia.cli.internal.model.shop.Buyer;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordModelTest {
    private static final String SHOP = "io.ontologia.cli.internal.model.shop";

    @TempDir
    Path folder;

    private Workspace workspace;
    private Path classes;

    @BeforeEach
    void prepare() throws URISyntaxException {
        workspace = new Workspace(folder);
        classes = Path.of(
                Buyer.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    @Test
    void the_records_of_a_package_in_an_archive_are_a_model() throws IOException {
        Path jar = archive();

        OntoRun run = export(SHOP, jar.toString());

        run.succeeded();
        assertThat(run.namesAt("entities")).containsExactlyInAnyOrder("Buyer", "Item");
        assertThat(run.namesAt("relations")).containsExactlyInAnyOrder("Fits", "Purchase");
    }

    @Test
    void a_class_stands_for_the_records_inside_it_and_a_folder_for_an_archive() {
        OntoRun run = export(SHOP + ".Catalogue", classes.toString());

        run.succeeded();
        assertThat(run.namesAt("entities")).containsExactly("Item");
    }

    @Test
    void the_store_takes_the_types_of_records() {
        OntoRun applied =
                workspace.onto("schema", "apply", "--models", SHOP, "--classpath", classes.toString(), "--json");

        applied.succeeded();
        assertThat(applied.at("created", 3)).isNotNull();
        assertThat(applied.at("unchanged")).isEqualTo(List.of());
    }

    @Test
    void a_relation_without_its_entities_is_refused() {
        OntoRun run = export(SHOP + ".Purchase", classes.toString()).failedWith(2);

        assertThat(run.err()).contains("Purchase: it joins Buyer, which is no entity type of the model");
    }

    @Test
    void what_is_not_there_is_refused() throws IOException {
        Path noArchive = workspace.file("text.jar", "hello");

        assertThat(export("com.example", classes.toString()).failedWith(2).err())
                .contains("no record there is an Entity or a Relation");
        assertThat(export(SHOP, "missing.jar").failedWith(2).err())
                .contains("invalid class path entry 'missing.jar': there is no such file or folder");
        assertThat(export(SHOP, noArchive.toString()).failedWith(2).err()).contains("it is neither a JAR nor a folder");
        assertThat(workspace
                        .run("schema", "export", "--classpath", classes.toString())
                        .failedWith(2)
                        .err())
                .contains("--classpath is given without --models");
    }

    private OntoRun export(String models, String classpath) {
        return workspace.run("schema", "export", "--models", models, "--classpath", classpath);
    }

    private Path archive() throws IOException {
        Path jar = workspace.path("shop.jar");
        Path packageFolder = classes.resolve(SHOP.replace('.', '/'));
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.list(packageFolder)) {
            for (Path file : files.toList()) {
                out.putNextEntry(new JarEntry(SHOP.replace('.', '/') + "/" + file.getFileName()));
                Files.copy(file, out);
            }
        }
        return jar;
    }
}
