package io.ontologia.cli.internal.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.cli.Workspace;
import io.ontologia.cli.internal.CommandFailure;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.cli.internal.output.Terminal;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Ontologia;
import io.ontologia.core.SessionOptions;
import io.ontologia.testkit.SettableClock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CopyProofTest {
    @TempDir
    Path folder;

    private Workspace original;
    private Workspace other;

    @BeforeEach
    void prepare() throws IOException {
        original = new Workspace(Files.createDirectory(folder.resolve("original")));
        original.file("models.yaml", Workspace.SHOP_MODEL);
        original.ensure("start", Workspace.customer("c1", "Alice", "Gold", "32", "[]"));
        other = new Workspace(Files.createDirectory(folder.resolve("other")));
        other.file("models.yaml", Workspace.SHOP_MODEL);
        Files.copy(original.database(), other.database());
        // So that the next commit of both is of the same minute.
        other.run("--version").succeeded();
    }

    @Test
    void a_copy_is_one_also_when_the_original_moved_on() {
        original.ensure("later", Workspace.product("p1", "Analytics"));

        long commits = prove();

        assertThat(commits).isEqualTo(1);
    }

    @Test
    void a_store_with_another_value_in_a_row_is_no_copy() {
        original.ensure("more", Workspace.customer("c2", "Bob", "Gold", "1", "[]"));
        other.ensure("more", Workspace.customer("c2", "Rob", "Gold", "1", "[]"));

        assertThatThrownBy(this::prove)
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("not the same in both: the rows of entity Customer");
    }

    @Test
    void a_store_with_another_commit_log_is_no_copy() {
        original.ensure("more", Workspace.customer("c2", "Bob", "Gold", "1", "[]"));
        other.ensure("else", Workspace.customer("c2", "Bob", "Gold", "1", "[]"));

        assertThatThrownBy(this::prove)
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("not the same in both: the commit log");
    }

    private long prove() {
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        Output output = new Output(nowhere, nowhere, Terminal.of(Map.of()), Output.Format.TEXT, new SettableClock());
        try (Maintenance first = Ontologia.maintain(original.uri(), SessionOptions.defaults());
                Maintenance second = Ontologia.maintain(other.uri(), SessionOptions.defaults())) {
            return new CopyProof(first.storage(), second.storage(), output).run();
        }
    }
}
