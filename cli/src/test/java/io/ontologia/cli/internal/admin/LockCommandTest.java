package io.ontologia.cli.internal.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.cli.Backend;
import io.ontologia.cli.OntoRun;
import io.ontologia.cli.Workspace;
import io.ontologia.core.Maintenance;
import io.ontologia.core.Ontologia;
import io.ontologia.core.SessionOptions;
import io.ontologia.core.WriteLease;
import io.ontologia.testkit.SettableClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(Backend.class)
class LockCommandTest {
    @Parameter
    Backend backend = Backend.SQLITE;

    @TempDir
    Path folder;

    private Workspace shop;

    @BeforeEach
    void prepare() {
        shop = Workspace.shop(folder, backend);
    }

    @Test
    void a_free_lock_is_nobodys() {
        assertThat(shop.onto("lock", "show").succeeded().out()).isEqualTo("nobody holds the write lock\n");
        assertThat(shop.onto("lock", "show", "--json").succeeded().json()).isEqualTo(Map.of("held", false));
        assertThat(shop.onto("lock", "break", "--token", "x").failedWith(4).err())
                .contains("nobody holds it");
        shop.onto("lock", "break").failedWith(2);
    }

    @Test
    void the_holder_of_the_lock_is_shown_and_keeps_others_out_until_it_is_broken() {
        Path input = shop.file("in.jsonl", Workspace.product("p9", "Late") + "\n");
        String[] importing = {"import", "--input", input.toString(), "--apply", "--on-conflict", "abort"};
        SettableClock clock = new SettableClock(Workspace.START.plus(Duration.ofMinutes(5)));
        try (Maintenance other = Ontologia.maintain(shop.uri(), options(clock, "other"));
                WriteLease lease = other.lock().acquire()) {
            OntoRun shown = shop.onto("lock", "show", "--json");
            OntoRun info = shop.onto("info");
            OntoRun wrong =
                    shop.onto("lock", "break", "--token", "0000000000000000").failedWith(4);
            OntoRun refused = shop.onto(importing).failedWith(5);

            assertThat(lease.isHeld()).isTrue();
            assertThat(shown.succeeded().at("owner_id")).isEqualTo("other");
            assertThat(shown.at("expires_at")).isEqualTo("2026-03-01T10:05:00.000000+00:00");
            assertThat(shown.at("expired")).isEqualTo(false);
            assertThat(info.out()).contains("write lock   held by other until 2026-03-01T10:05:00");
            assertThat(wrong.err()).contains("the token does not belong to its present holder 'other'");
            assertThat(refused.err()).contains("other");

            OntoRun broken = shop.onto("lock", "break", "--token", shown.textAt("token"), "--json");

            assertThat(broken.succeeded().at("broken")).isEqualTo(true);
            assertThat(broken.at("owner_id")).isEqualTo("other");
            shop.onto(importing).succeeded();
        }
    }

    private static SessionOptions options(SettableClock clock, String runtimeId) {
        SessionOptions defaults = SessionOptions.defaults().runtimeId(runtimeId);
        return defaults.storage(defaults.storage().clock(clock).leaseTtl(Duration.ofHours(1)));
    }
}
