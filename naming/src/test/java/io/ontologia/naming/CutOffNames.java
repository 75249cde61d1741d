package io.ontologia.naming;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.CreateOutcome;
import io.ontologia.nameservice.LifecycleOutcome;
import io.ontologia.nameservice.NamePage;
import io.ontologia.nameservice.NameQuery;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.NewRecord;
import io.ontologia.nameservice.PurgeOutcome;
import io.ontologia.nameservice.PushOutcome;
import io.ontologia.nameservice.Watermarks;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A nameservice that can be cut off, and that remembers the states that were pushed. */
final class CutOffNames implements Nameservice {
    private final Nameservice target;
    private volatile boolean cutOff;
    private final List<String> states = new ArrayList<>();

    CutOffNames(Nameservice target) {
        this.target = target;
    }

    void cutOff(boolean now) {
        cutOff = now;
    }

    List<String> states() {
        return states;
    }

    private Nameservice reach() {
        if (cutOff) {
            throw new OntologiaException(
                    ErrorKind.UNAVAILABLE, "cannot reach the nameservice", "it was cut off", "mend it");
        }
        return target;
    }

    @Override
    public String location() {
        return target.location();
    }

    @Override
    public CreateOutcome create(NewRecord record) {
        return reach().create(record);
    }

    @Override
    public Optional<NameRecord> lookup(Alias alias) {
        return reach().lookup(alias);
    }

    @Override
    public Optional<ConcernValue> concern(Alias alias, Concern concern) {
        return reach().concern(alias, concern);
    }

    @Override
    public Optional<Watermarks> watermarks(Alias alias) {
        return reach().watermarks(alias);
    }

    @Override
    public PushOutcome push(Alias alias, Concern concern, ConcernValue expected, ConcernValue next) {
        if (concern == Concern.STATUS) {
            states.add(next.payload().orElseThrow().text("state").orElseThrow());
        }
        return reach().push(alias, concern, expected, next);
    }

    @Override
    public LifecycleOutcome setDeps(Alias alias, List<String> deps) {
        return reach().setDeps(alias, deps);
    }

    @Override
    public LifecycleOutcome retract(Alias alias, String reason) {
        return reach().retract(alias, reason);
    }

    @Override
    public LifecycleOutcome restore(Alias alias) {
        return reach().restore(alias);
    }

    @Override
    public PurgeOutcome purge(Alias alias) {
        return reach().purge(alias);
    }

    @Override
    public NamePage list(NameQuery query) {
        return reach().list(query);
    }

    @Override
    public void close() {
        target.close();
    }
}
