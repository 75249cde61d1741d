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
 * expects it, two otherwise; the first push to a satellite also asks the authority, because an object that never got a push does not
 * prove that its record exists.
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

    /** An object that takes a push, with the incarnation of its record. */
    private record Ready(Cell cell, String incarnation) {}

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
            if (remembered.isPresent()) {
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
                Optional<Ready> ready = part.isAuthority() ? readyAuthority() : readySatellite();
                if (ready.isEmpty()) {
                    return Optional.empty();
                }
                ConcernValue actual = ready.get().cell().concern(concern);
                return actual.equals(expected) ? attempt(ready.get()) : Optional.of(new PushOutcome.Conflict(actual));
            } catch (OntologiaException e) {
                if (lost != null) {
                    return Optional.of(new PushOutcome.Unknown(lost));
                }
                throw e;
            }
        }

        /** Swaps; empty when it must be looked at again. */
        private Optional<PushOutcome> attempt(Ready ready) {
            sent = ready;
            Draft draft = Draft.from(ready.cell()).set(concern, next, id);
            if (!part.isAuthority()) {
                draft.unsealed().incarnation(ready.incarnation()).layout(reader.layout());
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
            if (now.isEmpty() || (!now.get().isPurged() && isOther(last, now.get()))) {
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

        private boolean isOther(Ready last, Cell now) {
            return !now.incarnation().orElse(last.incarnation()).equals(last.incarnation());
        }

        private Optional<Ready> remembered() {
            return cells.remembered(RecordReader.key(alias, part))
                    .filter(cell -> !cell.isLegacy() && !cell.isPurged())
                    .filter(cell -> cell.concern(concern).equals(expected))
                    .flatMap(cell -> part.isAuthority()
                            ? Optional.of(new Ready(cell, cell.incarnationOfAuthority()))
                                    .filter(ready -> reader.isOfThisLayout(ready.cell())
                                            && !ready.cell().isRetracted()
                                            && ready.cell().retraction().isEmpty())
                            : incarnationOf(cell).map(incarnation -> new Ready(cell, incarnation)));
        }

        private Optional<String> incarnationOf(Cell satellite) {
            return reader.provesItsRecord(satellite, concern) ? satellite.incarnation() : cells.voucherFor(satellite);
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
            return Optional.of(new Ready(authority, authority.incarnationOfAuthority()));
        }

        private static boolean isUnderWay(Cell authority, Cell satellite) {
            return satellite
                    .seal()
                    .flatMap(seal -> authority.retraction().filter(r -> r.id().equals(seal.retraction())))
                    .isPresent();
        }

        /** Reads the satellite first and the authority after it: what changes in between makes the swap fail. */
        private Optional<Ready> readySatellite() {
            Optional<Cell> there = reader.part(alias, part);
            if (there.isPresent() && incarnationOf(there.get()).isPresent()) {
                return Optional.of(
                        new Ready(there.get(), incarnationOf(there.get()).get()));
            }
            Cell authority = requireAuthority();
            if (authority.isLegacy()) {
                upgrade.attempt(alias, authority);
                return Optional.empty();
            }
            if (there.isEmpty()) {
                cells.create(RecordReader.key(alias, part), Draft.satellite(part, alias));
                return Optional.empty();
            }
            Cell satellite = there.get();
            String incarnation = authority.incarnationOfAuthority();
            boolean leftover = satellite.isPurged()
                    || !satellite.incarnation().orElse(incarnation).equals(incarnation);
            if (leftover) {
                cells.replace(satellite, Draft.satellite(part, alias));
                return Optional.empty();
            }
            if (isUnderWay(authority, satellite)) {
                lifecycles.finish(alias, authority);
                return Optional.empty();
            }
            if (satellite.seal().isEmpty()) {
                cells.vouchFor(satellite, incarnation);
            }
            return Optional.of(new Ready(satellite, incarnation));
        }
    }
}
