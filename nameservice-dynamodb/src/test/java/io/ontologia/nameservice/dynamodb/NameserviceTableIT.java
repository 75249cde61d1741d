package io.ontologia.nameservice.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.NameQuery;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.NameserviceOptions;
import io.ontologia.nameservice.Nameservices;
import io.ontologia.nameservice.NewRecord;
import io.ontologia.nameservice.dynamodb.NameserviceTable.Index;
import io.ontologia.nameservice.dynamodb.NameserviceTable.Outcome;
import io.ontologia.nameservice.dynamodb.internal.TableLocation;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NameserviceTableIT {
    private static final NameserviceOptions OPTIONS = NameserviceOptions.defaults();

    @RegisterExtension
    final LocalDynamo dynamo = new LocalDynamo();

    @Test
    void a_table_is_created_once_and_gets_indexes_that_it_lacks() {
        String uri = dynamo.uri().replace("names-", "created-");

        assertThat(NameserviceTable.create(uri, Set.of(), OPTIONS)).isEqualTo(Outcome.CREATED);
        assertThat(NameserviceTable.create(uri, Set.of(Index.TYPE), OPTIONS)).isEqualTo(Outcome.EXTENDED);
        assertThat(NameserviceTable.create(uri, Set.of(Index.TYPE, Index.STATE), OPTIONS))
                .isEqualTo(Outcome.EXTENDED);
        assertThat(NameserviceTable.create(uri, Set.of(Index.TYPE, Index.STATE), OPTIONS))
                .isEqualTo(Outcome.UNCHANGED);

        try (Nameservice names = Nameservices.open(uri + "&listing=indexed")) {
            names.create(NewRecord.ledger(Alias.parse("mydb")));
            assertThat(names.list(NameQuery.all().state("ready")).records()).hasSize(1);
        }
    }

    @Test
    void a_table_with_another_key_is_refused() {
        assertThatThrownBy(() -> NameserviceTable.create(dynamo.uri() + "&key=other", Set.of(), OPTIONS))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.CONFLICT));
    }

    @Test
    void a_table_of_version_1_is_used_by_the_key_that_it_has() {
        String uri = dynamo.uri().replace("names-", "old-") + "&key=ledger_alias";
        NameserviceTable.create(uri, Set.of(), OPTIONS);

        try (Nameservice names = Nameservices.open(uri)) {
            names.create(NewRecord.ledger(Alias.parse("mydb")));

            assertThat(names.lookup(Alias.parse("mydb"))).isPresent();
            assertThat(names.list(NameQuery.all()).records()).hasSize(1);
        }
    }

    @Test
    void a_table_of_version_1_that_is_opened_without_its_key_says_so() {
        String uri = dynamo.uri().replace("names-", "keyed-");
        NameserviceTable.create(uri + "&key=ledger_alias", Set.of(), OPTIONS);

        try (Nameservice names = Nameservices.open(uri)) {
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    () -> names.lookup(Alias.parse("mydb")),
                    () -> names.create(NewRecord.ledger(Alias.parse("mydb"))),
                    () -> names.purge(Alias.parse("mydb")))) {
                assertThatThrownBy(call)
                        .isInstanceOf(OntologiaException.class)
                        .hasMessageContaining("?key=ledger_alias");
            }
        }
        try (Nameservice names = Nameservices.open(uri + "&key=ledger_alias")) {
            assertThat(names.location()).contains("key=ledger_alias");
        }
    }

    @Test
    void a_uri_without_a_table_means_that_of_the_specification() {
        assertThat(TableLocation.parse("dynamodb://").table()).isEqualTo("fluree-nameservice");
        assertThat(TableLocation.parse("dynamodb://?region=eu-west-1").toString())
                .isEqualTo("dynamodb://fluree-nameservice?region=eu-west-1");
    }

    @Test
    void a_missing_table_is_named_with_its_remedy() {
        try (Nameservice names = Nameservices.open(dynamo.uri().replace("names-", "missing-"))) {
            assertThatThrownBy(() -> names.lookup(Alias.parse("mydb")))
                    .isInstanceOf(OntologiaException.class)
                    .hasMessageContaining("missing-")
                    .hasMessageContaining("create-table");
        }
    }

    @Test
    void the_location_is_a_uri_that_opens_it() {
        try (Nameservice names = Nameservices.open(dynamo.uri());
                Nameservice same = Nameservices.open(names.location())) {
            names.create(NewRecord.ledger(Alias.parse("mydb")));

            assertThat(same.lookup(Alias.parse("mydb"))).isPresent();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dynamodb://",
                "dynamodb://ab",
                "dynamodb://a/b",
                "dynamodb://table?endpoint=ftp://x",
                "dynamodb://table?endpoint=http://user:secret@host",
                "dynamodb://table?listing=often",
                "dynamodb://table?secret=x",
                "dynamodb://table?region=%zz"
            })
    void a_uri_that_names_no_table_is_refused_without_repeating_it(String uri) {
        assertThatThrownBy(() -> Nameservices.open(uri)).isInstanceOfSatisfying(OntologiaException.class, e -> {
            assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_INPUT);
            assertThat(e.getMessage()).doesNotContain("secret");
        });
    }
}
