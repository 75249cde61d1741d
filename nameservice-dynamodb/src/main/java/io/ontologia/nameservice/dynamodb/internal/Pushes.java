package io.ontologia.nameservice.dynamodb.internal;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.RandomIds;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.NameNotFoundException;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.NameRetractedException;
import io.ontologia.nameservice.PushOutcome;
import io.ontologia.nameservice.dynamodb.internal.Requests.Doubt;
import io.ontologia.nameservice.dynamodb.internal.Requests.Written;
import io.ontologia.nameservice.spi.RecordJson;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Pushes a concern: one conditional update, which brings what is there when it is refused. */
final class Pushes {
    /** More than enough: a second round is only needed for items that others wrote. */
    private static final int MAX_ROUNDS = 10;

    private final TableLocation location;
    private final DynamoDbClient client;
    private final Requests requests;
    private final RecordItems items;
    private final RandomGenerator random;

    Pushes(
            TableLocation location,
            DynamoDbClient client,
            Requests requests,
            RecordItems items,
            RandomGenerator random) {
        this.location = location;
        this.client = client;
        this.requests = requests;
        this.items = items;
        this.random = random;
    }

    PushOutcome push(Alias alias, Concern concern, ConcernValue expected, ConcernValue next) {
        String problem = "cannot push " + concern.wireName() + " of '" + alias + "'";
        String attempt = RandomIds.hex(random, 24);
        Supplier<Map<String, AttributeValue>> write =
                update(alias, concern, expected, RecordItems.payload(expected), next, attempt);
        for (int round = 0; round < MAX_ROUNDS; round++) {
            Written written = requests.write(problem, write);
            if (written instanceof Written.Done) {
                return new PushOutcome.Updated(next);
            }
            if (written instanceof Written.Lost lost) {
                return new PushOutcome.Unknown(lost.reason());
            }
            Written.Refused refused = (Written.Refused) written;
            Optional<PushOutcome> outcome = outcome(alias, concern, expected, next, attempt, refused, problem);
            if (outcome.isPresent()) {
                return outcome.get();
            }
            // The value is the expected one, but stored in a way of its own: now the condition is what is stored.
            Map<String, AttributeValue> old = refused.item();
            write = items.isLegacy(old)
                    ? upgrade(old, concern, next, attempt)
                    : update(
                            alias,
                            concern,
                            expected,
                            old.getOrDefault(concern.wireName(), AttributeValues.NULL),
                            next,
                            attempt);
        }
        throw new OntologiaException(ErrorKind.BUSY, problem, "others kept changing the record", "try again");
    }

    /** What a refusal means; empty when the concern has the expected value after all. */
    private Optional<PushOutcome> outcome(
            Alias alias,
            Concern concern,
            ConcernValue expected,
            ConcernValue next,
            String attempt,
            Written.Refused refused,
            String problem) {
        boolean doubt = refused.doubt() == Doubt.MAY_HAVE_LANDED;
        if (refused.item().isEmpty()) {
            if (doubt) {
                return Optional.of(overtaken(problem, "and the record is gone now"));
            }
            throw new NameNotFoundException(alias);
        }
        if (RecordItems.writer(RecordItems.writerOf(concern), refused.item())
                .filter(attempt::equals)
                .isPresent()) {
            return Optional.of(new PushOutcome.Updated(next));
        }
        NameRecord record = items.record(refused.item());
        ConcernValue actual = record.concern(concern);
        if (doubt && actual.watermark() > next.watermark()) {
            // Watermarks only rise: below or at ours, a value that is not ours proves that ours never landed.
            return Optional.of(overtaken(problem, "and the concern has moved on since"));
        }
        if (record.isRetracted()) {
            throw new NameRetractedException(alias);
        }
        return expected.isStill(actual) ? Optional.empty() : Optional.of(new PushOutcome.Conflict(actual));
    }

    private Supplier<Map<String, AttributeValue>> update(
            Alias alias,
            Concern concern,
            ConcernValue expected,
            AttributeValue storedPayload,
            ConcernValue next,
            String attempt) {
        Change change = Change.ofExisting(location.key())
                .where("v", AttributeValue.fromN(Long.toString(RecordJson.VERSION)))
                .where(RecordItems.RETRACTED, AttributeValue.fromBool(false))
                .where(concern, expected, storedPayload);
        expected.origin().ifPresent(change::where);
        UpdateItemRequest request =
                change.set(concern, next, attempt).request(location.table(), items.key(alias), ReturnValue.NONE);
        return () -> client.updateItem(request).attributes();
    }

    private Supplier<Map<String, AttributeValue>> upgrade(
            Map<String, AttributeValue> old, Concern concern, ConcernValue next, String attempt) {
        var request = Upgrade.request(
                location, items, old, items.record(old).with(concern, next), RecordItems.writerOf(concern), attempt);
        return () -> client.putItem(request).attributes();
    }

    private static PushOutcome overtaken(String problem, String cause) {
        return new PushOutcome.Unknown(new OntologiaException(
                ErrorKind.UNKNOWN_OUTCOME, problem, "its reply was lost, " + cause, "read before doing anything else"));
    }
}
