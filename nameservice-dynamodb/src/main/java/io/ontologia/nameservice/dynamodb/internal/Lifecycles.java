package io.ontologia.nameservice.dynamodb.internal;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.RandomIds;
import io.ontologia.kernel.Retry;
import io.ontologia.kernel.RetryPolicy;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.Lifecycle;
import io.ontologia.nameservice.LifecycleOutcome;
import io.ontologia.nameservice.NameNotFoundException;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.NameRetractedException;
import io.ontologia.nameservice.dynamodb.internal.Requests.Doubt;
import io.ontologia.nameservice.dynamodb.internal.Requests.Written;
import io.ontologia.nameservice.spi.RecordJson;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Retracts and restores: reads the record, and changes flag and status together if the status is still what was read. */
final class Lifecycles {
    /** A refusal brings the item as it is now, which waiting would only make old: who waits loses against a busy pusher. */
    private static final RetryPolicy CONTENTION =
            new RetryPolicy(1_000, Duration.ZERO, Duration.ZERO, Duration.ofSeconds(30));

    private final TableLocation location;
    private final DynamoDbClient client;
    private final Requests requests;
    private final RecordItems items;
    private final Retry retry;
    private final RandomGenerator random;

    Lifecycles(
            TableLocation location,
            DynamoDbClient client,
            Requests requests,
            RecordItems items,
            Clock clock,
            RandomGenerator random) {
        this.location = location;
        this.client = client;
        this.requests = requests;
        this.items = items;
        this.retry = new Retry(CONTENTION, clock, random);
        this.random = random;
    }

    /**
     * Brings a record into a lifecycle.
     *
     * @param current its item, as it was read; empty for none
     */
    LifecycleOutcome change(
            Alias alias, Lifecycle wanted, Map<String, AttributeValue> current, UnaryOperator<NameRecord> rule) {
        String problem = "cannot " + (wanted == Lifecycle.RETRACTED ? "retract" : "restore") + " '" + alias + "'";
        Retry.Attempts attempts = retry.start();
        Map<String, AttributeValue> item = current;
        do {
            if (item.isEmpty()) {
                throw new NameNotFoundException(alias);
            }
            NameRecord before = items.record(item);
            if (before.lifecycle() == wanted) {
                return new LifecycleOutcome.Unchanged(before);
            }
            NameRecord after = rule.apply(before);
            String attempt = RandomIds.hex(random, 24);
            Written written = requests.write(problem, write(item, before, after, attempt));
            if (written instanceof Written.Done done) {
                return new LifecycleOutcome.Changed(done.item().isEmpty() ? after : items.record(done.item()));
            }
            if (written instanceof Written.Lost lost) {
                return new LifecycleOutcome.Unknown(lost.reason());
            }
            Written.Refused refused = (Written.Refused) written;
            item = refused.item();
            if (RecordItems.writer(RecordItems.writerOf(Concern.STATUS), item)
                    .filter(attempt::equals)
                    .isPresent()) {
                return new LifecycleOutcome.Changed(items.record(item));
            }
            if (refused.doubt() == Doubt.MAY_HAVE_LANDED && overtaken(item, after)) {
                return new LifecycleOutcome.Unknown(new OntologiaException(
                        ErrorKind.UNKNOWN_OUTCOME,
                        problem,
                        "its reply was lost, and the record has moved on since",
                        "read before doing anything else"));
            }
        } while (attempts.waitForNext());
        throw new OntologiaException(ErrorKind.BUSY, problem, "others kept changing its status", "try again");
    }

    /**
     * Replaces what a record depends on.
     *
     * @param current its item, as it was read; empty for none
     */
    LifecycleOutcome setDeps(Alias alias, Map<String, AttributeValue> current, List<String> deps) {
        String problem = "cannot change what '" + alias + "' depends on";
        Retry.Attempts attempts = retry.start();
        Map<String, AttributeValue> item = current;
        do {
            if (item.isEmpty()) {
                throw new NameNotFoundException(alias);
            }
            NameRecord before = items.record(item);
            if (before.isRetracted()) {
                throw new NameRetractedException(alias);
            }
            if (before.deps().equals(deps)) {
                return new LifecycleOutcome.Unchanged(before);
            }
            Written written = requests.write(problem, deps(item, before.withDeps(deps)));
            if (written instanceof Written.Done done) {
                return new LifecycleOutcome.Changed(
                        done.item().isEmpty() ? before.withDeps(deps) : items.record(done.item()));
            }
            if (written instanceof Written.Lost lost) {
                return new LifecycleOutcome.Unknown(lost.reason());
            }
            item = ((Written.Refused) written).item();
        } while (attempts.waitForNext());
        throw new OntologiaException(ErrorKind.BUSY, problem, "others kept changing the record", "try again");
    }

    private Supplier<Map<String, AttributeValue>> deps(Map<String, AttributeValue> item, NameRecord after) {
        if (items.isLegacy(item)) {
            var request =
                    Upgrade.request(location, items, item, after, RecordItems.CREATED_BY, RandomIds.hex(random, 24));
            return () -> client.putItem(request).attributes();
        }
        UpdateItemRequest request = Change.ofExisting(location.key())
                .where("v", AttributeValue.fromN(Long.toString(RecordJson.VERSION)))
                .where(RecordItems.RETRACTED, AttributeValue.fromBool(false))
                .set("deps", AttributeValues.of(after.deps().isEmpty() ? null : after.deps()))
                .request(location.table(), items.key(after.alias()), ReturnValue.ALL_NEW);
        return () -> client.updateItem(request).attributes();
    }

    private boolean overtaken(Map<String, AttributeValue> item, NameRecord ours) {
        return item.isEmpty()
                || items.record(item).status().watermark() > ours.status().watermark();
    }

    private Supplier<Map<String, AttributeValue>> write(
            Map<String, AttributeValue> item, NameRecord before, NameRecord after, String attempt) {
        if (items.isLegacy(item)) {
            var request = Upgrade.request(location, items, item, after, RecordItems.writerOf(Concern.STATUS), attempt);
            return () -> client.putItem(request).attributes();
        }
        UpdateItemRequest request = Change.ofExisting(location.key())
                .where(RecordItems.RETRACTED, AttributeValue.fromBool(before.isRetracted()))
                .where(
                        Concern.STATUS,
                        before.status(),
                        item.getOrDefault(Concern.STATUS.wireName(), AttributeValues.NULL))
                .set(RecordItems.RETRACTED, AttributeValue.fromBool(after.isRetracted()))
                .set(Concern.STATUS, after.status(), attempt)
                .request(location.table(), items.key(after.alias()), ReturnValue.ALL_NEW);
        return () -> client.updateItem(request).attributes();
    }
}
