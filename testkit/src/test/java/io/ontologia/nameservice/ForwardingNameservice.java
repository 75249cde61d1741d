package io.ontologia.nameservice;

import java.util.List;
import java.util.Optional;

/** Passes everything on; subclasses disturb what they want to. Leaves the nameservice open. */
class ForwardingNameservice implements Nameservice {
    private final Nameservice target;

    ForwardingNameservice(Nameservice target) {
        this.target = target;
    }

    @Override
    public String location() {
        return target.location();
    }

    @Override
    public CreateOutcome create(NewRecord record) {
        return target.create(record);
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
        return target.push(alias, concern, expected, next);
    }

    @Override
    public LifecycleOutcome setDeps(Alias alias, List<String> deps) {
        return target.setDeps(alias, deps);
    }

    @Override
    public LifecycleOutcome retract(Alias alias, String reason) {
        return target.retract(alias, reason);
    }

    @Override
    public LifecycleOutcome restore(Alias alias) {
        return target.restore(alias);
    }

    @Override
    public PurgeOutcome purge(Alias alias) {
        return target.purge(alias);
    }

    @Override
    public NamePage list(NameQuery query) {
        return target.list(query);
    }

    @Override
    public void close() {}
}
