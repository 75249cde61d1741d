package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.EntityType;
import io.ontologia.nameservice.NamePage;
import io.ontologia.nameservice.NameQuery;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.NewRecord;
import io.ontologia.nameservice.Redaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How records are found. */
public abstract class NameserviceListingContract extends NameserviceSuite {
    @Test
    protected void an_empty_nameservice_lists_nothing() {
        assertThat(names().list(NameQuery.all()))
                .isEqualTo(new NamePage(List.of(), List.of(), java.util.Optional.empty()));
    }

    @Test
    protected void a_listing_shows_whole_records() {
        created("a");
        created("b");
        pushed("b", Concern.HEAD, head(3));
        pushed("b", Concern.INDEX, value(Concern.INDEX, 2, "there"));

        List<NameRecord> listed = listed(NameQuery.all());

        assertThat(listed)
                .containsExactlyInAnyOrder(
                        names().lookup(Alias.parse("a")).orElseThrow(),
                        names().lookup(Alias.parse("b")).orElseThrow());
    }

    @Test
    protected void records_are_found_by_type_state_and_prefix() {
        created("mydb:main");
        created("mydb:dev");
        created("my/other");
        created("zoo");
        created(NewRecord.of(Alias.parse("vg:my"), EntityType.BM25));
        created(NewRecord.of(Alias.parse("vg:mine"), EntityType.JDBC));
        pushed("zoo", Concern.STATUS, ConcernValue.of(2, Map.of("state", "indexing")));
        names().retract(Alias.parse("mydb:dev"), "");

        assertThat(aliases(NameQuery.all().type(EntityType.BM25))).containsExactly("vg:my:main");
        assertThat(aliases(NameQuery.all().type(EntityType.LEDGER)))
                .containsExactlyInAnyOrder("mydb:main", "mydb:dev", "my/other:main", "zoo:main");
        assertThat(aliases(NameQuery.all().state("indexing"))).containsExactly("zoo:main");
        assertThat(aliases(NameQuery.all().state("retracted"))).containsExactly("mydb:dev");
        assertThat(aliases(NameQuery.all().prefix("my")))
                .containsExactlyInAnyOrder("mydb:main", "mydb:dev", "my/other:main");
        assertThat(aliases(NameQuery.all().prefix("mydb:d"))).containsExactly("mydb:dev");
        assertThat(aliases(NameQuery.all().prefix("vg:mi"))).containsExactly("vg:mine:main");
        assertThat(aliases(NameQuery.all().prefix("vg:").type(EntityType.JDBC).state("ready")))
                .containsExactly("vg:mine:main");
        assertThat(aliases(NameQuery.all().prefix("nothing"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 6, 7, 8, 1000})
    protected void pages_of_any_size_hold_every_record_once(int size) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            created("db" + i + ":b/" + i % 2);
            all.add("db" + i + ":b/" + i % 2);
        }

        assertThat(aliases(NameQuery.all().pageSize(size))).containsExactlyInAnyOrderElementsOf(all);
        assertThat(aliases(NameQuery.all().pageSize(size).prefix("db3"))).containsExactly("db3:b/1");
    }

    @Test
    protected void a_token_stays_good_while_records_come_and_go() {
        for (int i = 0; i < 6; i++) {
            created("db" + i);
        }
        NamePage first = names().list(NameQuery.all().pageSize(3));
        NameRecord seen = first.records().get(first.records().size() - 1);
        names().retract(seen.alias(), "");
        names().purge(seen.alias());
        created("between");

        List<String> rest = new ArrayList<>();
        NamePage page = first;
        while (page.next().isPresent()) {
            page = another()
                    .list(NameQuery.all().pageSize(3).continueAt(page.next().get()));
            page.records().forEach(record -> rest.add(record.alias().toString()));
        }

        first.records().forEach(record -> rest.add(record.alias().toString()));
        assertThat(rest)
                .doesNotHaveDuplicates()
                .contains("db0:main", "db1:main", "db2:main", "db3:main", "db4:main", "db5:main");
    }

    @Test
    protected void a_bad_token_is_refused() {
        created("a");

        assertThatThrownBy(() -> names().list(NameQuery.all().continueAt("\u0001 no token")))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_INPUT));
    }

    @Test
    protected void listings_hide_secrets_unless_asked_for() {
        created(NewRecord.of(Alias.parse("vg:erp"), EntityType.JDBC));
        ConcernValue config = pushed(
                "vg:erp",
                Concern.CONFIG,
                ConcernValue.of(
                        1,
                        Map.of(
                                "connection_string",
                                "jdbc:postgresql://u:secret@host/db",
                                "schema",
                                "public",
                                "pool_size",
                                10,
                                "warehouse",
                                "s3://key:secret@bucket/x")));

        NameRecord redacted = listed(NameQuery.all()).get(0);
        NameRecord shown =
                listed(NameQuery.all().secrets(NameQuery.Secrets.SHOWN)).get(0);

        assertThat(redacted.config())
                .isEqualTo(ConcernValue.of(
                        1,
                        Map.of(
                                "connection_string",
                                Redaction.MARK,
                                "schema",
                                "public",
                                "pool_size",
                                10,
                                "warehouse",
                                Redaction.MARK)));
        assertThat(shown.config()).isEqualTo(config);
        assertThat(shown.toString()).doesNotContain("secret");
    }
}
