package io.ontologia.nameservice.dynamodb.internal;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Retry;
import io.ontologia.kernel.RetryPolicy;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/** Sends requests, again where that is safe, and tells what became of them. */
final class Requests {
    private static final RetryPolicy POLICY =
            new RetryPolicy(8, Duration.ofMillis(25), Duration.ofSeconds(2), Duration.ofSeconds(20));

    private final TableLocation location;
    private final Retry retry;

    Requests(TableLocation location, Clock clock, RandomGenerator random) {
        this.location = location;
        this.retry = new Retry(POLICY, clock, random);
    }

    /** What became of a conditional write. */
    sealed interface Written {
        /** It landed. */
        record Done(Map<String, AttributeValue> item) implements Written {}

        /**
         * Its condition failed.
         *
         * @param item what was there instead; empty for nothing
         * @param doubt whether the same write was sent before without a reply, and may be what made the condition fail
         */
        record Refused(Map<String, AttributeValue> item, Doubt doubt) implements Written {}

        /** No reply came, however often it was sent. */
        record Lost(OntologiaException reason) implements Written {}
    }

    /** Whether an earlier try of a write may have landed. */
    enum Doubt {
        NONE,
        MAY_HAVE_LANDED
    }

    /** Sends a request that changes nothing. */
    <T> T read(String problem, Supplier<T> request) {
        Retry.Attempts attempts = retry.start();
        while (true) {
            try {
                return request.get();
            } catch (SdkException e) {
                DynamoFault fault = DynamoFault.of(e);
                if (!fault.passing() || !attempts.waitForNext()) {
                    throw fault.error(problem, location);
                }
            }
        }
    }

    /**
     * Sends a conditional write that carries the id of its attempt. It is sent again after a lost reply: when it had landed, the
     * condition fails and the item shows the id.
     *
     * @throws OntologiaException when certainly nothing was changed
     */
    Written write(String problem, Supplier<Map<String, AttributeValue>> request) {
        Retry.Attempts attempts = retry.start();
        Doubt doubt = Doubt.NONE;
        while (true) {
            try {
                return new Written.Done(request.get());
            } catch (ConditionalCheckFailedException e) {
                return new Written.Refused(e.hasItem() ? e.item() : Map.of(), doubt);
            } catch (SdkException e) {
                DynamoFault fault = DynamoFault.of(e);
                doubt = fault.maybeDone() ? Doubt.MAY_HAVE_LANDED : doubt;
                if (!fault.passing() || !attempts.waitForNext()) {
                    if (doubt == Doubt.MAY_HAVE_LANDED) {
                        return new Written.Lost(fault.unknown(problem));
                    }
                    throw fault.error(problem, location);
                }
            }
        }
    }
}
