package io.ontologia.nameservice.internal.object;

import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Retry;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.NameNotFoundException;
import io.ontologia.nameservice.NameRetractedException;
import io.ontologia.nameservice.PushOutcome;
import io.ontologia.nameservice.internal.object.Cells.Swap;
import io.ontologia.nameservice.spi.RecordRules;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Pushes one concern by swapping the one object that holds it. Costs one request when the object is remembered as the caller
 * expects it, two otherwise. A push to a satellite also reads the authority, before the swap and after the satellite: a foreign writer
 * that retracts or removes the record changes the authority alone.
 */
final class Pushes {
    private final Cells cells;
    private final RecordReader reader;
    private final Lifecycles lifecycles;
    private final Upgrade upgrade;
    private final Retry retry;

    Pushes(Cells cells, RecordReader reader, Lifecycles lifecycles, Upgrade upgrade, Retry retry) {
        this.cells = cells;
        this.reader = reader;
        this.lifecycles = lifecycles;
        this.upgrade = upgrade;
        this.retry = retry;
    }

    PushOutcome push(Alias alias, Concern concern, ConcernValue expected, ConcernValue next) {
        RecordRules.requirePushable(concern, expected, next);
        return new Push(alias, concern, expected, next, reader.partOf(concern), cells.newId()).run();
    }

    /** An object that takes a push, with the authority of its record. */
    private record Ready(Cell cell, Cell authority) {}

    private final class Push {
        private final Alias alias;
        private final Concern concern;
        private final ConcernValue expected;
        private final ConcernValue next;
        private final Part part;
        private final String id;
        private final Retry.Attempts attempts = retry.start();
        /** Why it is not known whether an earlier attempt landed; null while it is known. */
        private @Nullable OntologiaException lost;
        /** What the last attempt wanted to replace. */
        private @Nullable Ready sent;

        Push(Alias alias, Concern concern, ConcernValue expected, ConcernValue next, Part part, String id) {
            this.alias = alias;
            this.concern = concern;
            this.expected = expected;
            this.next = next;
            this.part = part;
            this.id = id;
        }

        PushOutcome run() {
            Optional<Ready> remembered = remembered();
            if (remembered.filter(ready -> expected.isStill(actual(ready))).isPresent()) {
                Optional<PushOutcome> outcome = attempt(remembered.get());
                if (outcome.isPresent()) {
                    return outcome.get();
                }
            }
            while (true) {
                Optional<PushOutcome> outcome = look();
                if (outcome.isPresent()) {
                    return outcome.get();
                }
                if (!attempts.waitForNext()) {
                    if (lost != null) {
                        return new PushOutcome.Unknown(lost);
                    }
                    throw Upgrade.busy(alias);
                }
            }
        }

        private Optional<PushOutcome> look() {
            try {
                if (lost != null && sent != null) {
                    Optional<PushOutcome> outcome = settled(sent);
                    if (outcome.isPresent() || lost != null) {
                        return outcome.isPresent() ? outcome : attempt(sent);
                    }
                }
                Optional<Ready> ready =
                        part.isAuthority() ? readyAuthority() : readySatellite(reader.part(alias, part));
                if (ready.isEmpty()) {
                    return Optional.empty();
                }
                ConcernValue actual = actual(ready.get());
                return expected.isStill(actual) ? attempt(ready.get()) : Optional.of(new PushOutcome.Conflict(actual));
            } catch (OntologiaException e) {
                if (lost != null) {
                    return Optional.of(new PushOutcome.Unknown(lost));
                }
                throw e;
            }
        }

        private ConcernValue actual(Ready ready) {
            Optional<Cell> satellite = part.isAuthority() ? Optional.empty() : Optional.of(ready.cell());
            return reader.identified(ready.authority(), reader.concernOf(ready.authority(), satellite, concern));
        }

        /** Swaps; empty when it must be looked at again. */
        private Optional<PushOutcome> attempt(Ready ready) {
            sent = ready;
            Draft draft = Draft.from(ready.cell()).set(concern, next, id);
            if (!part.isAuthority()) {
                ready.authority().incarnation().ifPresent(draft::incarnation);
                draft.unsealed().layout(reader.layout());
            }
            Swap swap = cells.replace(ready.cell(), draft);
            if (swap instanceof Swap.Written) {
                return Optional.of(new PushOutcome.Updated(next));
            }
            if (swap instanceof Swap.Unknown unknown) {
                lost = unknown.reason();
            }
            return lost == null ? Optional.empty() : settled(ready);
        }

        /** After a lost reply: what the object tells. Empty when the push did certainly not land, or may be sent again. */
        private Optional<PushOutcome> settled(Ready last) {
            OntologiaException reason = Objects.requireNonNull(lost);
            Optional<Cell> now;
            try {
                now = cells.read(last.cell().key());
            } catch (OntologiaException e) {
                return Optional.of(new PushOutcome.Unknown(reason));
            }
            if (now.flatMap(cell -> cell.pushId(concern)).equals(Optional.of(id))) {
                return Optional.of(new PushOutcome.Updated(next));
            }
            if (now.isEmpty() || (!now.get().isPurged() && !now.get().isOfOneRecordWith(last.authority()))) {
                return Optional.of(new PushOutcome.Unknown(reason));
            }
            if (now.get().etag().equals(last.cell().etag())) {
                return Optional.empty();
            }
            if (now.get().isPurged() || now.get().concern(concern).watermark() > next.watermark()) {
                return Optional.of(new PushOutcome.Unknown(reason));
            }
            // Had it landed, the watermark could only be ours or above; and the version that it wanted to replace is
            // gone.
            lost = null;
            return Optional.empty();
        }

        /** What takes the push if the object is still as it was last seen; empty when it must be read. */
        private Optional<Ready> remembered() {
            Optional<Cell> known = cells.remembered(reader.key(alias, part))
                    .filter(cell -> !cell.isLegacy() && !cell.isPurged())
                    .map(cell -> reader.requireOwn(alias, cell))
                    .filter(cell -> cell.concern(concern).equals(expected));
            if (known.isEmpty() || !part.isAuthority()) {
                return known.isEmpty() ? Optional.empty() : readySatellite(known);
            }
            return known.filter(cell -> reader.isOfThisLayout(cell)
                            && !cell.isRetracted()
                            && cell.retraction().isEmpty())
                    .map(cell -> new Ready(cell, cell));
        }

        private Cell requireAuthority() {
            Cell authority = reader.authority(alias).orElseThrow(() -> new NameNotFoundException(alias));
            if (!authority.isLegacy() && authority.isRetracted()) {
                throw new NameRetractedException(alias);
            }
            return authority;
        }

        private Optional<Ready> readyAuthority() {
            Cell authority = requireAuthority();
            if (authority.isLegacy()) {
                upgrade.attempt(alias, authority);
                return Optional.empty();
            }
            if (authority.retraction().isPresent()) {
                lifecycles.finish(alias, authority);
                return Optional.empty();
            }
            return Optional.of(new Ready(authority, authority));
        }

        private static boolean isUnderWay(Cell authority, Cell satellite) {
            return satellite
                    .seal()
                    .flatMap(seal -> authority.retraction().filter(r -> r.id().equals(seal.retraction())))
                    .isPresent();
        }

        /**
         * What takes the push, by the authority as it is now.
         *
         * @param there the satellite, read before: what changes after that makes the swap fail
         */
        private Optional<Ready> readySatellite(Optional<Cell> there) {
            Cell authority = requireAuthority();
            if (authority.isLegacy()) {
                upgrade.attempt(alias, authority);
                return Optional.empty();
            }
            if (there.isEmpty()) {
                cells.create(reader.key(alias, part), Draft.satellite(part, alias));
                return Optional.empty();
            }
            Cell satellite = there.get();
            if (satellite.isPurged() || !satellite.isOfOneRecordWith(authority)) {
                cells.replace(satellite, Draft.satellite(part, alias));
                return Optional.empty();
            }
            if (isUnderWay(authority, satellite)) {
                lifecycles.finish(alias, authority);
                return Optional.empty();
            }
            return Optional.of(new Ready(satellite, authority));
        }
    }
}
