package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.EntityType;
import io.ontologia.nameservice.NameQuery;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.NewRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Names that are traps: none collides with another, and none leaves its place. */
public abstract class NameserviceNamesContract extends NameserviceSuite {
    private static final List<String> TRAPS = List.of(
            "a:b/c",
            "a/b:c",
            "a/b/c:main",
            "a:main",
            "a:main.index",
            "a:main.head",
            "a:main.json",
            "a:main.index.json",
            "a.b:main",
            "a:b.c",
            "A:main",
            "a:MAIN",
            "Main:main",
            "..:..",
            ".:.",
            "../../etc:passwd",
            "a:../b",
            ".hidden:main",
            "with space:and more",
            " :  ",
            "%2E%2E:%2F",
            "a%2Fb:c",
            "ü:ß",
            "u\u0308:ß",
            "日本:東京",
            "😀:main",
            "con:nul",
            "a\\b:c",
            "a?b#c:d&e=f",
            "~:-",
            "*:\"'<>|",
            "ns@v2:main",
            "search:main",
            "x".repeat(300) + ":main",
            "x".repeat(300) + "y:main",
            "ü".repeat(400) + ":" + "ß".repeat(400),
            "ü".repeat(400) + ":" + "ß".repeat(399) + "x");

    @Test
    protected void traps_neither_collide_nor_escape() {
        Map<Alias, NameRecord> expected = new HashMap<>();
        List<Alias> aliases = new ArrayList<>(TRAPS.stream().map(Alias::parse).toList());
        aliases.add(Alias.parse("vg:search:main"));
        aliases.add(Alias.parse("vg:vg:main"));
        aliases.add(Alias.parse("vg:a:b/c"));

        for (Alias alias : aliases) {
            NameRecord created = created(
                    NewRecord.of(alias, alias.space() == Alias.Space.LEDGER ? EntityType.LEDGER : EntityType.VECTOR));
            assertThat(created.alias()).isEqualTo(alias);
        }
        long t = 0;
        for (Alias alias : aliases) {
            t++;
            pushed(alias.toString(), Concern.HEAD, head(t, alias.toString()));
            pushed(alias.toString(), Concern.INDEX, value(Concern.INDEX, t, alias.toString()));
        }
        for (Alias alias : aliases) {
            NameRecord found = another().lookup(alias).orElseThrow();
            assertThat(found.alias()).isEqualTo(alias);
            assertThat(found.head().payload().orElseThrow().text("address")).contains(alias.toString());
            assertThat(found.index().payload().orElseThrow().text("note")).contains(alias.toString());
            expected.put(alias, found);
        }

        assertThat(listed(NameQuery.all().pageSize(10))).containsExactlyInAnyOrderElementsOf(expected.values());
        for (Alias alias : aliases) {
            assertThat(aliases(NameQuery.all().prefix(alias.qualifiedName() + ":")))
                    .contains(alias.toString())
                    .allMatch(found -> found.startsWith(alias.qualifiedName() + ":"));
        }
        for (Alias alias : aliases.subList(0, aliases.size() / 2)) {
            names().retract(alias, "");
            names().purge(alias);
            expected.remove(alias);
        }
        assertThat(listed(NameQuery.all())).containsExactlyInAnyOrderElementsOf(expected.values());
    }

    @Test
    protected void a_name_without_a_branch_means_main() {
        created("mydb");
        created(NewRecord.of(Alias.parse("vg:mydb"), EntityType.BM25));

        assertThat(names().lookup(Alias.parse("mydb:main"))).isPresent();
        assertThat(names().lookup(Alias.parse("vg:mydb:main"))).isPresent();
        assertThat(aliases(NameQuery.all())).containsExactlyInAnyOrder("mydb:main", "vg:mydb:main");
    }
}
