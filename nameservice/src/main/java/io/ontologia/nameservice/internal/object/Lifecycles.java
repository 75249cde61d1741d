package io.ontologia.nameservice.internal.object;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Retry;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.LifecycleOutcome;
import io.ontologia.nameservice.NameNotFoundException;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.NameRetractedException;
import io.ontologia.nameservice.internal.object.Cell.Retraction;
import io.ontologia.nameservice.internal.object.Cell.Seal;
import io.ontologia.nameservice.internal.object.Cells.Swap;
import io.ontologia.nameservice.spi.RecordRules;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Retracts and restores. A retraction is announced in the authority, so that the status stands still; then the satellites are
 * sealed, so that they do; and then the authority is swapped, which is the moment when it happens. A push that meets the
 * announcement or its seal finishes the retraction before it is refused. After a restoration the seals are stale, and the next
 * push removes them.
 */
final class Lifecycles {
    /**
     * So many attempts that were refused are made between two waits. A writer that pushes all the time is always faster than one that waits
     * after each refusal, and a change of the lifecycle must come to an end against it.
     */
    private static final int BURST = 16;

    private final Cells cells;
    private final RecordReader reader;
    private final Upgrade upgrade;
    private final Retry retry;
    private final Clock clock;

    Lifecycles(Cells cells, RecordReader reader, Upgrade upgrade, Retry retry, Clock clock) {
        this.cells = cells;
        this.reader = reader;
        this.upgrade = upgrade;
        this.retry = retry;
        this.clock = clock;
    }

    LifecycleOutcome retract(Alias alias, String reason) {
        Retraction retraction = new Retraction(cells.newId(), clock.now().getEpochSecond(), reason);
        return settle(alias, new Retracting(alias, retraction));
    }

    LifecycleOutcome restore(Alias alias) {
        return settle(alias, new Restoring(cells.newId()));
    }

    LifecycleOutcome setDeps(Alias alias, List<String> deps) {
        return settle(alias, new Depending(alias, cells.newId(), deps));
    }

    /** Carries out a retraction that was announced and is not finished. */
    void finish(Alias alias, Cell authority) {
        retracting(alias, authority);
    }

    private Swap retracting(Alias alias, Cell authority) {
        Retraction retraction = authority.retraction().orElseThrow();
        try {
            Seal seal = new Seal(authority.incarnationOfAuthority(), retraction.id());
            cells.inParallel(reader.satellites(), part -> sealed(alias, part, authority, seal));
            return swapped(authority, retraction);
        } catch (OntologiaException e) {
            // It was announced, so that somebody else may finish it.
            return new Swap.Unknown(e);
        }
    }

    private Swap swapped(Cell authority, Retraction retraction) {
        ConcernValue status = RecordRules.retracted(
                authority.concern(Concern.STATUS), Instant.ofEpochSecond(retraction.at()), retraction.reason());
        return cells.replace(
                authority,
                Draft.from(authority)
                        .retracted(true)
                        .retractedBy(retraction.id())
                        .set(Concern.STATUS, status, retraction.id()));
    }

    private Cell sealed(Alias alias, Part part, Cell authority, Seal seal) {
        Retry.Attempts attempts = retry.start();
        int tries = 0;
        while (true) {
            Optional<Cell> there = reader.part(alias, part);
            if (there.filter(cell -> !cell.isPurged()).flatMap(Cell::seal).equals(Optional.of(seal))) {
                return there.orElseThrow();
            }
            if (there.filter(cell -> !cell.isPurged() && !cell.isOfOneRecordWith(authority))
                    .isPresent()) {
                // Of a record that came after ours: ours was retracted and purged meanwhile, by a faster client.
                return there.orElseThrow();
            }
            Swap swap = there.map(cell -> cells.replace(
                            cell, (cell.isPurged() ? Draft.satellite(part, alias) : Draft.from(cell)).seal(seal)))
                    .orElseGet(() -> cells.create(
                            reader.key(alias, part),
                            Draft.satellite(part, alias).seal(seal)));
            if (swap instanceof Swap.Written written) {
                return written.cell();
            }
            boolean waits = swap instanceof Swap.Unknown || ++tries % BURST == 0;
            if (waits && !attempts.waitForNext()) {
                throw Upgrade.busy(alias);
            }
        }
    }

    /** One way to change the lifecycle of a record. */
    private interface Change {
        /** Makes an attempt; empty when the record is already as wanted. */
        Optional<Swap> attempt(Cell authority);

        /** Whether the change was made, by this call, perhaps some time ago. */
        boolean isDone(Cell authority);

        /** The record after the change, when it was certainly made and is gone since. */
        Optional<NameRecord> lastKnown();
    }

    private final class Restoring implements Change {
        private final String id;

        Restoring(String id) {
            this.id = id;
        }

        @Override
        public Optional<Swap> attempt(Cell authority) {
            if (!authority.isRetracted()) {
                return Optional.empty();
            }
            ConcernValue status = RecordRules.restored(authority.concern(Concern.STATUS));
            return Optional.of(cells.replace(
                    authority, Draft.from(authority).retracted(false).set(Concern.STATUS, status, id)));
        }

        @Override
        public boolean isDone(Cell authority) {
            return authority.pushId(Concern.STATUS).equals(Optional.of(id));
        }

        @Override
        public Optional<NameRecord> lastKnown() {
            return Optional.empty();
        }
    }

    private final class Depending implements Change {
        private final Alias alias;
        private final String id;
        private final List<String> deps;

        Depending(Alias alias, String id, List<String> deps) {
            this.alias = alias;
            this.id = id;
            this.deps = deps;
        }

        @Override
        public Optional<Swap> attempt(Cell authority) {
            if (authority.isRetracted()) {
                throw new NameRetractedException(alias);
            }
            if (authority.retraction().isPresent()) {
                finish(alias, authority);
                return Optional.of(new Swap.Refused());
            }
            return authority.deps().equals(deps)
                    ? Optional.empty()
                    : Optional.of(cells.replace(authority, Draft.from(authority).deps(deps, id)));
        }

        @Override
        public boolean isDone(Cell authority) {
            return authority.depsBy().equals(Optional.of(id));
        }

        @Override
        public Optional<NameRecord> lastKnown() {
            return Optional.empty();
        }
    }

    private final class Retracting implements Change {
        private final Alias alias;
        private Retraction retraction;
        /** Where it was announced: from then on it happens, whoever carries it out, and once, unless a foreign writer drops it. */
        private @Nullable Cell announced;

        Retracting(Alias alias, Retraction retraction) {
            this.alias = alias;
            this.retraction = retraction;
        }

        @Override
        public Optional<Swap> attempt(Cell authority) {
            if (authority.isRetracted()) {
                return Optional.empty();
            }
            Optional<Retraction> underWay = authority.retraction();
            if (underWay.isPresent()) {
                boolean ours = underWay.get().id().equals(retraction.id());
                announced = ours ? authority : announced;
                Swap swap = retracting(alias, authority);
                return Optional.of(ours ? underWay(swap) : new Swap.Refused());
            }
            if (announced != null) {
                // A foreign writer dropped the announcement. The seals of it may be gone too: they need another id.
                retraction = new Retraction(cells.newId(), retraction.at(), retraction.reason());
                announced = null;
            }
            if (reader.satellites().isEmpty()) {
                return Optional.of(swapped(authority, retraction));
            }
            Swap swap = cells.replace(
                    authority, Draft.from(authority).layout(reader.layout()).retracting(retraction));
            if (swap instanceof Swap.Written written) {
                announced = written.cell();
                return Optional.of(underWay(retracting(alias, written.cell())));
            }
            return Optional.of(swap);
        }

        /** After the announcement no failure means that nothing happened. */
        private Swap underWay(Swap swap) {
            return swap instanceof Swap.Refused
                    ? new Swap.Unknown(new OntologiaException(
                            ErrorKind.UNKNOWN_OUTCOME,
                            "the retraction of '" + alias + "' was announced and not seen through",
                            "others changed the record meanwhile",
                            "look it up"))
                    : swap;
        }

        @Override
        public boolean isDone(Cell authority) {
            boolean underWay = authority
                    .retraction()
                    .filter(r -> r.id().equals(retraction.id()))
                    .isPresent();
            return authority.pushId(Concern.STATUS).equals(Optional.of(retraction.id()))
                    || authority.lastRetraction().equals(Optional.of(retraction.id()))
                    || (announced != null && !underWay && !isDropped(announced, authority));
        }

        /** Whether a foreign writer wrote the authority since, and dropped what it does not know. */
        private static boolean isDropped(Cell announced, Cell authority) {
            return announced.layout().isPresent() && authority.layout().isEmpty();
        }

        @Override
        public Optional<NameRecord> lastKnown() {
            return Optional.ofNullable(announced)
                    .map(cell -> RecordRules.retracted(
                            record(alias, cell), Instant.ofEpochSecond(retraction.at()), retraction.reason()));
        }
    }

    private LifecycleOutcome settle(Alias alias, Change change) {
        Retry.Attempts attempts = retry.start();
        int tries = 0;
        @Nullable OntologiaException lost = null;
        long reach = 0;
        while (true) {
            Optional<Cell> there;
            try {
                there = reader.authority(alias);
                if (there.isEmpty() && change.lastKnown().isPresent()) {
                    return new LifecycleOutcome.Changed(change.lastKnown().get());
                }
            } catch (OntologiaException e) {
                if (lost != null) {
                    return new LifecycleOutcome.Unknown(lost);
                }
                throw e;
            }
            if (there.isEmpty()) {
                if (lost != null) {
                    return new LifecycleOutcome.Unknown(lost);
                }
                throw new NameNotFoundException(alias);
            }
            Cell authority = there.get();
            if (authority.isLegacy()) {
                upgrade.attempt(alias, authority);
            } else if (change.isDone(authority)) {
                return changed(alias, authority);
            } else if (lost != null && authority.concern(Concern.STATUS).watermark() > reach) {
                return new LifecycleOutcome.Unknown(lost);
            } else {
                Optional<Swap> swap;
                try {
                    swap = change.attempt(authority);
                } catch (OntologiaException e) {
                    if (lost != null) {
                        return new LifecycleOutcome.Unknown(lost);
                    }
                    throw e;
                }
                if (swap.isEmpty()) {
                    return new LifecycleOutcome.Unchanged(record(alias, authority));
                }
                if (swap.get() instanceof Swap.Written written) {
                    return changed(alias, written.cell());
                }
                if (swap.get() instanceof Swap.Unknown unknown) {
                    lost = unknown.reason();
                    reach = authority.concern(Concern.STATUS).watermark() + 1;
                }
            }
            boolean waits = lost != null || ++tries % BURST == 0;
            if (waits && !attempts.waitForNext()) {
                if (lost != null) {
                    return new LifecycleOutcome.Unknown(lost);
                }
                throw Upgrade.busy(alias);
            }
        }
    }

    private LifecycleOutcome changed(Alias alias, Cell authority) {
        try {
            return new LifecycleOutcome.Changed(record(alias, authority));
        } catch (OntologiaException e) {
            // It happened, but the rest of the record cannot be shown; an error would say that nothing was changed.
            return new LifecycleOutcome.Unknown(e);
        }
    }

    private NameRecord record(Alias alias, Cell authority) {
        List<Optional<Cell>> others = cells.inParallel(reader.satellites(), part -> reader.part(alias, part));
        return reader.assembled(authority, others);
    }
}
