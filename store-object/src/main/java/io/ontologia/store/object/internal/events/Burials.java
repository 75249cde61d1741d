package io.ontologia.store.object.internal.events;

import io.ontologia.core.DeadLetter;
import io.ontologia.core.Event;
import io.ontologia.core.EventOptions;
import io.ontologia.core.NewEvent;
import io.ontologia.core.spi.DeadLetterEvents;
import io.ontologia.kernel.Sha256;
import io.ontologia.objectstore.Payload;
import io.ontologia.store.object.internal.layout.EventDocument;
import io.ontologia.store.object.internal.layout.EventKeys;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Makes dead letters. The claim that says so is written first, then the letter and the event that tells of it, then the
 * claim is closed. All of it follows from the claim, so a worker that takes over from one that died in between writes the
 * same objects once more, under the same keys.
 */
final class Burials {
    private final EventObjects objects;
    private final ClaimObjects claims;
    private final Consumer<String> bell;

    /** @param bell told the namespace of an event that was enqueued */
    Burials(EventObjects objects, ClaimObjects claims, Consumer<String> bell) {
        this.objects = objects;
        this.claims = claims;
        this.bell = bell;
    }

    /** Writes what a claim owes, and closes it. */
    void bury(Event event, ClaimObjects.Name name, ClaimObjects.Held held, EventOptions options) {
        Instant failedAt = held.claim().failedAt().orElseThrow();
        long attempts = held.state().attempts();
        String error = held.state().lastError().orElse("handler failure");
        DeadLetter letter = new DeadLetter(
                event.id(),
                name.handlerId(),
                event.namespace(),
                failedAt,
                attempts,
                error,
                event.type(),
                event.payloadJson(),
                event.rootEventId(),
                event.chainDepth());
        objects.store()
                .put(
                        EventKeys.deadLetter(event.namespace(), event.id(), name.handlerId()),
                        Payload.of(EventDocument.bytes(letter)));
        DeadLetterEvents.about(letter, options).ifPresent(report -> {
            objects.ensure(identified(report, letter));
            bell.accept(event.namespace());
        });
        claims.close(name, held);
    }

    private static Event identified(NewEvent report, DeadLetter letter) {
        String about = String.join("\n", letter.namespace(), letter.eventId(), letter.handlerId());
        ByteBuffer hash =
                ByteBuffer.wrap(HexFormat.of().parseHex(Sha256.hex(about).substring(0, 32)));
        return report.identity(new UUID(hash.getLong(), hash.getLong()).toString(), letter.failedAt())
                .complete(letter.failedAt(), new SplittableRandom(0));
    }
}
