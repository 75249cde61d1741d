package io.ontologia.nameservice.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.CreateOutcome;
import io.ontologia.nameservice.LifecycleOutcome;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.NameRetractedException;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.Nameservices;
import io.ontologia.nameservice.NewRecord;
import io.ontologia.nameservice.PurgeOutcome;
import io.ontologia.nameservice.PushOutcome;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of calls whose requests or replies are lost or refused on the way. */
class DynamoFaultsIT {
    private static final Alias DB = Alias.parse("mydb");
    private static final ConcernValue FIRST = head(1, "first");

    @RegisterExtension
    final LocalDynamo dynamo = new LocalDynamo();

    private final FaultyDynamo network = new FaultyDynamo();
    private Nameservice names;
    private Nameservice others;

    @BeforeEach
    void open() {
        names = network.open(dynamo.location());
        others = Nameservices.open(dynamo.uri());
        others.create(NewRecord.ledger(DB));
    }

    @AfterEach
    void close() {
        names.close();
        others.close();
    }

    @ParameterizedTest
    @EnumSource(Concern.class)
    void a_push_whose_reply_is_lost_is_known_to_have_landed(Concern concern) {
        ConcernValue current = names.concern(DB, concern).orElseThrow();
        ConcernValue next = ConcernValue.of(current.watermark() + 1, Map.of("state", "ready", "x", 1));
        network.next(2, FaultyDynamo.lostReply());

        PushOutcome outcome = names.push(DB, concern, current, next);

        assertThat(outcome).isEqualTo(new PushOutcome.Updated(next));
        assertThat(others.concern(DB, concern)).contains(next);
    }

    @Test
    void a_push_that_never_arrived_is_sent_again() {
        network.next(FaultyDynamo.lostRequest(() -> {}));

        assertThat(names.push(DB, Concern.HEAD, ConcernValue.unborn(), FIRST))
                .isEqualTo(new PushOutcome.Updated(FIRST));
    }

    @Test
    void the_same_value_by_somebody_else_is_not_taken_for_ours() {
        network.next(FaultyDynamo.lostRequest(() -> others.push(DB, Concern.HEAD, ConcernValue.unborn(), FIRST)));

        PushOutcome outcome = names.push(DB, Concern.HEAD, ConcernValue.unborn(), FIRST);

        assertThat(outcome).isEqualTo(new PushOutcome.Conflict(FIRST));
    }

    @Test
    void a_lost_reply_and_a_later_push_of_somebody_else_leave_the_outcome_unknown() {
        network.next(FaultyDynamo.then(() -> others.push(DB, Concern.HEAD, FIRST, head(2, "second"))));

        PushOutcome outcome = names.push(DB, Concern.HEAD, ConcernValue.unborn(), FIRST);

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        PushOutcome.Unknown.class,
                        unknown -> assertThat(unknown.reason().kind()).isEqualTo(ErrorKind.UNKNOWN_OUTCOME));
    }

    @Test
    void a_push_without_any_reply_is_unknown_and_never_a_conflict() {
        network.next(20, FaultyDynamo.lostRequest(() -> {}));

        assertThat(names.push(DB, Concern.HEAD, ConcernValue.unborn(), FIRST)).isInstanceOf(PushOutcome.Unknown.class);
    }

    @Test
    void a_push_that_was_lost_before_a_retraction_is_refused_as_such() {
        network.next(FaultyDynamo.lostRequest(() -> others.retract(DB, "")));

        assertThatThrownBy(() -> names.push(DB, Concern.HEAD, ConcernValue.unborn(), FIRST))
                .isInstanceOf(NameRetractedException.class);
    }

    @Test
    void a_push_that_landed_before_a_retraction_is_known_to_have_landed() {
        network.next(FaultyDynamo.then(() -> others.retract(DB, "")));

        assertThat(names.push(DB, Concern.HEAD, ConcernValue.unborn(), FIRST))
                .isEqualTo(new PushOutcome.Updated(FIRST));
    }

    @ParameterizedTest
    @CsvSource({
        "400, ProvisionedThroughputExceededException, UNAVAILABLE",
        "400, ThrottlingException, UNAVAILABLE",
        "400, RequestLimitExceeded, UNAVAILABLE",
        "400, TransactionConflictException, BUSY",
        "400, ReplicatedWriteConflictException, BUSY",
        "400, ResourceNotFoundException, NOT_FOUND",
        "400, AccessDeniedException, UNAVAILABLE",
        "400, ValidationException, UNAVAILABLE"
    })
    void a_refusal_of_the_service_is_an_error_and_never_a_conflict(int status, String code, ErrorKind kind) {
        network.next(20, FaultyDynamo.error(status, code));

        assertThatThrownBy(() -> names.push(DB, Concern.HEAD, ConcernValue.unborn(), FIRST))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(kind));
        assertThat(others.concern(DB, Concern.HEAD)).contains(ConcernValue.unborn());
    }

    @ParameterizedTest
    @CsvSource({
        "400, ProvisionedThroughputExceededException",
        "400, TransactionConflictException",
        "500, InternalServerError",
        "503, ServiceUnavailable"
    })
    void what_passes_is_tried_again(int status, String code) {
        network.next(3, FaultyDynamo.error(status, code));
        assertThat(names.push(DB, Concern.HEAD, ConcernValue.unborn(), FIRST))
                .isEqualTo(new PushOutcome.Updated(FIRST));

        network.next(3, FaultyDynamo.error(status, code));
        assertThat(names.create(NewRecord.ledger(Alias.parse("new")))).isInstanceOf(CreateOutcome.Created.class);

        network.next(3, FaultyDynamo.error(status, code));
        assertThat(names.lookup(DB).orElseThrow().head()).isEqualTo(FIRST);
    }

    @ParameterizedTest
    @CsvSource({"400, ProvisionedThroughputExceededException", "400, TransactionConflictException"})
    void a_creation_that_is_refused_does_not_read_as_a_taken_name(int status, String code) {
        network.next(20, FaultyDynamo.error(status, code));

        assertThatThrownBy(() -> names.create(NewRecord.ledger(Alias.parse("new"))))
                .isInstanceOf(OntologiaException.class);
        assertThat(others.lookup(Alias.parse("new"))).isEmpty();
    }

    @Test
    void a_creation_whose_reply_is_lost_is_known_to_be_ours() {
        Alias alias = Alias.parse("new");
        network.next(FaultyDynamo.then(() -> others.push(alias, Concern.HEAD, ConcernValue.unborn(), FIRST)));

        CreateOutcome outcome = names.create(NewRecord.ledger(alias));

        assertThat(outcome).isInstanceOf(CreateOutcome.Created.class);
    }

    @Test
    void a_creation_by_somebody_else_is_not_taken_for_ours() {
        Alias alias = Alias.parse("new");
        network.next(FaultyDynamo.lostRequest(() -> others.create(NewRecord.ledger(alias))));

        assertThat(names.create(NewRecord.ledger(alias)))
                .isEqualTo(new CreateOutcome.Exists(others.lookup(alias).orElseThrow()));
    }

    @Test
    void a_retraction_and_a_restoration_whose_replies_are_lost_happen_once() {
        names.lookup(DB);
        network.next(request -> request.call(), FaultyDynamo.lostReply());
        LifecycleOutcome retracted = names.retract(DB, "why");
        NameRecord after = others.lookup(DB).orElseThrow();
        network.next(request -> request.call(), FaultyDynamo.lostReply());
        LifecycleOutcome restored = names.restore(DB);

        assertThat(retracted).isEqualTo(new LifecycleOutcome.Changed(after));
        assertThat(after.status().watermark()).isEqualTo(2);
        assertThat(restored)
                .isEqualTo(new LifecycleOutcome.Changed(others.lookup(DB).orElseThrow()));
        assertThat(others.watermarks(DB).orElseThrow().status()).isEqualTo(3);
    }

    @Test
    void a_purge_whose_reply_is_lost_is_a_purge() {
        names.retract(DB, "");
        network.next(FaultyDynamo.lostReply());

        assertThat(names.purge(DB)).isEqualTo(new PurgeOutcome.Purged());
        assertThat(others.lookup(DB)).isEmpty();
    }

    private static ConcernValue head(long t, String address) {
        return ConcernValue.of(t, Map.of("address", address, "t", t));
    }
}
