package io.ontologia.cli.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.Backend;
import io.ontologia.cli.OntoRun;
import io.ontologia.cli.Workspace;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(Backend.class)
class DigestCommandTest {
    @Parameter
    Backend backend = Backend.SQLITE;

    @TempDir
    Path folder;

    private Workspace shop;

    @BeforeEach
    void prepare() {
        shop = Workspace.shop(folder, backend);
    }

    private String digest() {
        return shop.onto("digest", "--json").succeeded().textAt("digest");
    }

    @Test
    void the_digest_of_the_newest_commit_or_another_is_printed() {
        OntoRun newest = shop.onto("digest", "--json");
        OntoRun second = shop.onto("digest", "--commit", "2", "--json");
        OntoRun text = shop.onto("digest");

        assertThat(newest.succeeded().namesAt()).containsExactly("commit_id", "digest");
        assertThat(newest.at("commit_id")).isEqualTo(4L);
        assertThat(second.succeeded().at("commit_id")).isEqualTo(2L);
        assertThat(second.textAt("digest")).isNotEqualTo(newest.textAt("digest"));
        assertThat(text.succeeded().out()).isEqualTo("commit 4 has the digest " + digest() + "\n");
        assertThat(shop.onto("commits", "--json").column("digest")).contains(newest.at("digest"), second.at("digest"));
    }

    @Test
    void a_commit_that_does_not_exist_has_none() {
        assertThat(shop.onto("digest", "--commit", "9").failedWith(4).err()).contains("there is no such commit");
    }

    @Test
    void everything_has_a_digest_already() {
        OntoRun json = shop.onto("digest", "--apply", "--json");

        assertThat(json.succeeded().json()).isEqualTo(Map.of("commit_id", 4L, "digest", digest(), "recorded", 0L));
        assertThat(shop.onto("digest", "--apply").succeeded().out()).endsWith("0 digests were recorded\n");
    }

    @Test
    void a_digest_proves_the_history_up_to_its_commit() {
        String kept = digest();
        shop.ensure("later", Workspace.customer("c9", "Eve", "Lead", "null", "[]"));

        OntoRun text = shop.onto("fsck", "--digest", kept);
        OntoRun json = shop.onto("fsck", "--digest", kept, "--json");

        assertThat(text.succeeded().out()).endsWith("nothing was changed up to commit 4\n");
        assertThat(json.succeeded().at("ok")).isEqualTo(true);
        assertThat(json.at("proof")).isEqualTo(Map.of("digest", kept, "commit_id", 4L));
    }

    @Test
    void a_digest_that_no_commit_has_is_an_error() {
        String other = "0".repeat(64);

        OntoRun text = shop.onto("fsck", "--digest", other);
        OntoRun json = shop.onto("fsck", "--digest", other, "--json");

        assertThat(text).returns(3, OntoRun::exitCode);
        assertThat(text.out()).contains("digest-unknown");
        assertThat(json).returns(3, OntoRun::exitCode);
        assertThat(json.at("proof", "commit_id")).isNull();
        assertThat(json.at("findings", 0, "code")).isEqualTo("digest-unknown");
    }
}
