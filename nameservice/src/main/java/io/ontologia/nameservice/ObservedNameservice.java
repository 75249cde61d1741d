package io.ontologia.nameservice;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Passes everything on, and tells subscribers what was accepted. Pushes of this process to one concern wait for each other, so that
 * they are told in their order; they would conflict anyway.
 */
final class ObservedNameservice implements Nameservice {
    private static final int STRIPES = 64;

    private final Nameservice target;
    private final Subscriptions subscriptions;
    private final ReentrantLock[] stripes = new ReentrantLock[STRIPES];

    ObservedNameservice(Nameservice target, Subscriptions subscriptions) {
        this.target = target;
        this.subscriptions = subscriptions;
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new ReentrantLock();
        }
    }

    @Override
    public String location() {
        return target.location();
    }

    @Override
    public CreateOutcome create(NewRecord record) {
        return inOrder(record.alias(), Concern.STATUS, () -> {
            CreateOutcome outcome = target.create(record);
            if (outcome instanceof CreateOutcome.Created created) {
                subscriptions.created(created.record());
            }
            return outcome;
        });
    }

    @Override
    public Optional<NameRecord> lookup(Alias alias) {
        return target.lookup(alias);
    }

    @Override
    public Optional<ConcernValue> concern(Alias alias, Concern concern) {
        return target.concern(alias, concern);
    }

    @Override
    public Optional<Watermarks> watermarks(Alias alias) {
        return target.watermarks(alias);
    }

    @Override
    public PushOutcome push(Alias alias, Concern concern, ConcernValue expected, ConcernValue next) {
        return inOrder(alias, concern, () -> {
            PushOutcome outcome = target.push(alias, concern, expected, next);
            if (outcome instanceof PushOutcome.Updated) {
                subscriptions.moved(alias, concern, next);
            }
            return outcome;
        });
    }

    @Override
    public LifecycleOutcome setDeps(Alias alias, List<String> deps) {
        return target.setDeps(alias, deps);
    }

    @Override
    public LifecycleOutcome retract(Alias alias, String reason) {
        return inOrder(alias, Concern.STATUS, () -> told(alias, target.retract(alias, reason)));
    }

    @Override
    public LifecycleOutcome restore(Alias alias) {
        return inOrder(alias, Concern.STATUS, () -> told(alias, target.restore(alias)));
    }

    @Override
    public PurgeOutcome purge(Alias alias) {
        return inOrder(alias, Concern.STATUS, () -> {
            PurgeOutcome outcome = target.purge(alias);
            if (outcome instanceof PurgeOutcome.Purged) {
                subscriptions.purged(alias);
            }
            return outcome;
        });
    }

    @Override
    public NamePage list(NameQuery query) {
        return target.list(query);
    }

    @Override
    public Optional<LegacyStore> legacy() {
        return target.legacy();
    }

    @Override
    public void close() {
        target.close();
    }

    private LifecycleOutcome told(Alias alias, LifecycleOutcome outcome) {
        if (outcome instanceof LifecycleOutcome.Changed changed) {
            subscriptions.moved(alias, Concern.STATUS, changed.record().status());
        }
        return outcome;
    }

    private <T> T inOrder(Alias alias, Concern concern, Supplier<T> change) {
        ReentrantLock stripe = stripes[Math.floorMod(alias.hashCode() * 31 + concern.hashCode(), STRIPES)];
        stripe.lock();
        try {
            return change.get();
        } finally {
            stripe.unlock();
        }
    }
}
