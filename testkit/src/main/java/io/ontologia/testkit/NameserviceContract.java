package io.ontologia.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernPayload;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.CreateOutcome;
import io.ontologia.nameservice.EntityType;
import io.ontologia.nameservice.Lifecycle;
import io.ontologia.nameservice.NameNotFoundException;
import io.ontologia.nameservice.NameQuery;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.NewRecord;
import io.ontologia.nameservice.PushOutcome;
import io.ontologia.nameservice.Watermarks;
import io.ontologia.nameservice.spi.RecordRules;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every nameservice does: creating, reading, pushing. */
public abstract class NameserviceContract extends NameserviceSuite {
    private static final Alias DB = Alias.parse("mydb");

    @Test
    protected void a_new_record_is_unborn() {
        NameRecord record = created("mydb");

        assertThat(record.alias()).isEqualTo(DB);
        assertThat(record.type()).isEqualTo(EntityType.LEDGER);
        assertThat(record.deps()).isEmpty();
        assertThat(record.lifecycle()).isEqualTo(Lifecycle.ACTIVE);
        assertThat(record.createdAt()).isEqualTo(SettableClock.START);
        assertThat(record.head()).isEqualTo(ConcernValue.unborn());
        assertThat(record.index()).isEqualTo(ConcernValue.unborn());
        assertThat(record.status()).isEqualTo(ConcernValue.of(1, Map.of("state", "ready")));
        assertThat(record.config()).isEqualTo(ConcernValue.unborn());
        assertThat(names().lookup(DB)).contains(record);
    }

    @Test
    protected void what_was_never_created_is_not_there() {
        created("mydb");

        assertThat(names().lookup(Alias.parse("other"))).isEmpty();
        assertThat(names().concern(Alias.parse("other"), Concern.HEAD)).isEmpty();
        assertThat(names().watermarks(Alias.parse("mydb:dev"))).isEmpty();
    }

    @Test
    protected void a_name_is_given_once() {
        created("mydb");
        ConcernValue head = pushed("mydb", Concern.HEAD, head(1));
        clock().advance(Duration.ofHours(1));

        CreateOutcome again = names().create(NewRecord.ledger(DB));

        NameRecord actual = names().lookup(DB).orElseThrow();
        assertThat(again).isEqualTo(new CreateOutcome.Exists(actual));
        assertThat(actual.head()).isEqualTo(head);
        assertThat(actual.createdAt()).isEqualTo(SettableClock.START);
    }

    @Test
    protected void a_graph_source_keeps_its_type_and_what_it_depends_on() {
        NewRecord wanted = NewRecord.of(Alias.parse("vg:search"), new EntityType("vg:something-new"))
                .deps(List.of("mydb:main", "other:main"))
                .createdAt(Instant.ofEpochSecond(1_705_312_200));

        created(wanted);

        NameRecord found = names().lookup(Alias.parse("vg:search:main")).orElseThrow();
        assertThat(found.type().value()).isEqualTo("vg:something-new");
        assertThat(found.deps()).containsExactly("mydb:main", "other:main");
        assertThat(found.createdAt()).isEqualTo(Instant.ofEpochSecond(1_705_312_200));
    }

    @ParameterizedTest
    @EnumSource(Concern.class)
    protected void a_push_on_the_expected_value_moves_that_concern_alone(Concern concern) {
        NameRecord before = created("mydb");
        ConcernValue next = value(concern, before.concern(concern).watermark() + 1, "one");

        PushOutcome outcome = names().push(DB, concern, before.concern(concern), next);

        assertThat(outcome).isEqualTo(new PushOutcome.Updated(next));
        assertThat(names().lookup(DB)).contains(before.with(concern, next));
        assertThat(another().lookup(DB)).contains(before.with(concern, next));
    }

    @ParameterizedTest
    @EnumSource(Concern.class)
    protected void pushes_follow_each_other(Concern concern) {
        ConcernValue current = created("mydb").concern(concern);
        for (int i = 1; i <= 5; i++) {
            ConcernValue next = value(concern, current.watermark() + i, "push " + i);

            assertThat(names().push(DB, concern, current, next)).isEqualTo(new PushOutcome.Updated(next));
            current = next;
        }
        assertThat(names().concern(DB, concern)).contains(current);
    }

    @ParameterizedTest
    @EnumSource(Concern.class)
    protected void a_push_on_an_older_value_conflicts_and_says_what_is_there(Concern concern) {
        ConcernValue first = created("mydb").concern(concern);
        ConcernValue actual = pushed("mydb", concern, value(concern, 2, "theirs"));

        PushOutcome outcome = another().push(DB, concern, first, value(concern, 3, "ours"));

        assertThat(outcome).isEqualTo(new PushOutcome.Conflict(actual));
        assertThat(names().concern(DB, concern)).contains(actual);
    }

    @ParameterizedTest
    @EnumSource(Concern.class)
    protected void a_push_on_another_payload_with_the_same_watermark_conflicts(Concern concern) {
        created("mydb");
        ConcernValue actual = pushed("mydb", concern, value(concern, 2, "theirs"));

        PushOutcome outcome = names().push(DB, concern, value(concern, 2, "imagined"), value(concern, 3, "ours"));

        assertThat(outcome).isEqualTo(new PushOutcome.Conflict(actual));
    }

    @ParameterizedTest
    @EnumSource(
            value = Concern.class,
            names = {"HEAD", "INDEX", "CONFIG"})
    protected void a_push_that_expects_something_conflicts_with_an_unborn_concern(Concern concern) {
        created("mydb");

        PushOutcome outcome = names().push(DB, concern, value(concern, 4, "imagined"), value(concern, 5, "ours"));

        assertThat(outcome).isEqualTo(new PushOutcome.Conflict(ConcernValue.unborn()));
    }

    @ParameterizedTest
    @EnumSource(Concern.class)
    protected void a_push_that_expects_a_watermark_without_payload_conflicts(Concern concern) {
        created("mydb");
        ConcernValue actual = pushed("mydb", concern, value(concern, 7, "theirs"));

        PushOutcome outcome =
                names().push(DB, concern, new ConcernValue(7, java.util.Optional.empty()), value(concern, 8, "ours"));

        assertThat(outcome).isEqualTo(new PushOutcome.Conflict(actual));
    }

    @ParameterizedTest
    @EnumSource(Concern.class)
    protected void a_push_to_an_unknown_name_is_refused_and_creates_nothing(Concern concern) {
        Alias ghost = Alias.parse("ghost");

        assertThatThrownBy(() -> names().push(ghost, concern, ConcernValue.unborn(), value(concern, 1, "ours")))
                .isInstanceOf(NameNotFoundException.class);

        assertThat(names().lookup(ghost)).isEmpty();
        assertThat(names().create(NewRecord.ledger(ghost))).isInstanceOf(CreateOutcome.Created.class);
        assertThat(names().concern(ghost, Concern.HEAD)).contains(ConcernValue.unborn());
    }

    @ParameterizedTest
    @EnumSource(Concern.class)
    protected void a_watermark_that_does_not_rise_is_refused_whatever_is_there(Concern concern) {
        created("mydb");
        ConcernValue actual = pushed("mydb", concern, value(concern, 5, "there"));

        assertInvalid(() -> names().push(DB, concern, actual, value(concern, 5, "same")));
        assertInvalid(() -> names().push(DB, concern, actual, value(concern, 4, "lower")));
        assertInvalid(() ->
                names().push(Alias.parse("ghost"), concern, value(concern, 9, "imagined"), value(concern, 9, "x")));
        assertThat(names().concern(DB, concern)).contains(actual);
    }

    @ParameterizedTest
    @EnumSource(Concern.class)
    protected void a_watermark_cannot_jump_to_the_end(Concern concern) {
        ConcernValue now = created("mydb").concern(concern);
        Map<String, Object> payload = Map.of("state", "ready");
        long far = now.watermark() + RecordRules.MAX_STEP;

        assertInvalid(() -> names().push(DB, concern, now, ConcernValue.of(Long.MAX_VALUE, payload)));
        assertInvalid(() -> names().push(DB, concern, now, ConcernValue.of(far + 1, payload)));
        assertThat(names().concern(DB, concern)).contains(now);
        assertThat(names().push(DB, concern, now, ConcernValue.of(far, payload)))
                .isInstanceOf(PushOutcome.Updated.class);
    }

    @Test
    protected void a_push_without_payload_is_refused() {
        created("mydb");

        assertInvalid(() -> names().push(
                        DB, Concern.CONFIG, ConcernValue.unborn(), new ConcernValue(1, java.util.Optional.empty())));
    }

    @Test
    protected void a_head_whose_t_is_not_its_watermark_is_refused() {
        created("mydb");

        assertInvalid(() -> names().push(
                        DB, Concern.HEAD, ConcernValue.unborn(), ConcernValue.of(2, Map.of("address", "a", "t", 1))));
    }

    @Test
    protected void a_status_without_a_state_or_with_that_of_retracted_records_is_refused() {
        ConcernValue first = created("mydb").status();

        assertInvalid(() -> names().push(DB, Concern.STATUS, first, ConcernValue.of(2, Map.of("note", "x"))));
        assertInvalid(() -> names().push(DB, Concern.STATUS, first, ConcernValue.of(2, Map.of("state", "retracted"))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"a\":null,\"b\":[1,2.5,\"x\",null,[],{}],\"c\":{\"d\":{\"e\":true}}}",
                "{\"big\":123456789012345678901234567890,\"small\":-9223372036854775808,\"tiny\":1.5e-7}",
                "{\"ü\":\"ß\",\"emoji\":\"😀\",\"quote\\\"\":\"line\\nbreak\",\"audit-log\":null}"
            })
    protected void payloads_survive_the_round_trip_unknown_fields_included(String json) {
        created("mydb");
        ConcernValue pushed = pushed("mydb", Concern.CONFIG, ConcernValue.of(1, ConcernPayload.parse(json)));

        ConcernValue read = another().concern(DB, Concern.CONFIG).orElseThrow();

        assertThat(read).isEqualTo(pushed);
        assertThat(read.payload().orElseThrow().json())
                .isEqualTo(pushed.payload().orElseThrow().json());
        ConcernValue next = ConcernValue.of(2, Map.of("x", 1));
        assertThat(another().push(DB, Concern.CONFIG, read, next)).isEqualTo(new PushOutcome.Updated(next));
    }

    @Test
    protected void one_number_written_two_ways_is_one_number() {
        created("mydb");
        pushed("mydb", Concern.INDEX, ConcernValue.of(1, ConcernPayload.parse("{\"k1\":1.0,\"b\":100}")));
        ConcernValue same = ConcernValue.of(1, ConcernPayload.parse("{\"b\":1e2,\"k1\":1}"));

        PushOutcome outcome = names().push(DB, Concern.INDEX, same, value(Concern.INDEX, 2, "next"));

        assertThat(outcome).isInstanceOf(PushOutcome.Updated.class);
    }

    @Test
    protected void watermarks_tell_what_moved() {
        created("mydb");
        Watermarks before = names().watermarks(DB).orElseThrow();
        pushed("mydb", Concern.HEAD, head(42));
        pushed("mydb", Concern.CONFIG, value(Concern.CONFIG, 1, "set"));

        Watermarks after = another().watermarks(DB).orElseThrow();

        assertThat(before).isEqualTo(new Watermarks(0, 0, 1, 0));
        assertThat(after).isEqualTo(new Watermarks(42, 0, 1, 1));
        assertThat(after.movedSince(before)).containsExactly(Concern.HEAD, Concern.CONFIG);
    }

    @Test
    protected void branches_and_ledgers_are_strangers_to_each_other() {
        created("mydb:main");
        created("mydb:dev");
        pushed("mydb:dev", Concern.HEAD, head(3));

        assertThat(names().concern(Alias.parse("mydb:main"), Concern.HEAD)).contains(ConcernValue.unborn());
    }

    @Test
    protected void after_closing_nothing_works_and_closing_again_does() {
        created("mydb");
        assertThat(listed(NameQuery.all())).hasSize(1);

        names().close();
        names().close();

        assertThatThrownBy(() -> names().list(NameQuery.all()))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.CLOSED));
        assertThatThrownBy(() -> names().lookup(DB))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.CLOSED));
    }

    private static void assertInvalid(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INVALID_INPUT));
    }

    @Test
    protected void a_graph_source_is_synchronized_again_at_the_same_t() {
        Alias search = Alias.parse("vg:search");
        names().create(NewRecord.of(search, new EntityType("vg:bm25")));
        ConcernValue first = ConcernValue.of(42, Map.of("sync_t", 42, "sync_address", "a"));
        ConcernValue again = ConcernValue.of(43, Map.of("sync_t", 42, "sync_address", "b"));

        assertThat(names().push(search, Concern.HEAD, ConcernValue.unborn(), first))
                .isEqualTo(new PushOutcome.Updated(first));
        assertThat(names().push(search, Concern.HEAD, first, again)).isEqualTo(new PushOutcome.Updated(again));
        assertThat(names().concern(search, Concern.HEAD)).contains(again);
    }
}
