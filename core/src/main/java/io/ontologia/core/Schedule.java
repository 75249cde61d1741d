package io.ontologia.core;

import io.ontologia.core.spi.EventNames;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Sha256;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;

/**
 * An event that comes by the clock. Every tick becomes one event in a namespace, however many workers have the same schedule:
 * the event's id follows from schedule and tick, and its time is the tick's.
 *
 * <p>When no worker ran at a tick, the next one that does fires it late; of several missed ticks only the latest, and none
 * that is longer ago than {@code catchUp}. A tick can fire once more when its event is removed from the bus before {@code
 * catchUp} has passed.
 *
 * @param id the same for all workers that have it
 * @param zone whose wall clock counts
 * @param event what is enqueued, a record
 * @param priority of the event
 * @param catchUp how late a tick may fire
 */
public record Schedule(String id, Cron cron, ZoneId zone, Record event, long priority, Duration catchUp) {
    private static final int LONGEST_ID = 100;

    /** @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} for a bad id or event, or a negative time */
    public Schedule {
        EventNames.require("schedule id", id);
        if (EventNames.encodedLength(id) > LONGEST_ID || catchUp.isNegative()) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "invalid schedule '" + id + "'",
                    "its id is longer than " + LONGEST_ID + " characters, or the time to catch up is negative",
                    "correct it");
        }
        NewEvent.of("check", event);
    }

    /**
     * A schedule with the default priority that catches up for an hour.
     *
     * @param cron see {@link Cron}
     */
    public static Schedule of(String id, String cron, ZoneId zone, Record event) {
        return new Schedule(id, Cron.parse(cron), zone, event, NewEvent.DEFAULT_PRIORITY, Duration.ofHours(1));
    }

    /** The same with another priority for its events. */
    public Schedule priority(long other) {
        return new Schedule(id, cron, zone, event, other, catchUp);
    }

    /** The same with another time to catch up. */
    public Schedule catchUp(Duration other) {
        return new Schedule(id, cron, zone, event, priority, other);
    }

    /** The event of a tick: the same one whoever asks. */
    public NewEvent eventAt(String namespace, Instant tick) {
        // SQLite keeps ids unique over namespaces, so the id has to tell them apart.
        String where = Sha256.hex(namespace + "\n" + id).substring(0, 8);
        return NewEvent.of(namespace, event)
                .priority(priority)
                .identity(id + "@" + tick.truncatedTo(ChronoUnit.SECONDS) + "-" + where, tick);
    }
}
