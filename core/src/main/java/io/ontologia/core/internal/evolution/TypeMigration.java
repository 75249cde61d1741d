package io.ontologia.core.internal.evolution;

import io.ontologia.core.OntologyType;
import io.ontologia.core.SchemaChange;
import io.ontologia.core.SchemaStep;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.TypeRef;
import io.ontologia.core.Upgrader;
import io.ontologia.core.Upgraders;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What brings the rows of one type to the next version of its schema, and what is recorded about it. */
public final class TypeMigration {
    private final Evolution evolution;
    private final boolean byCode;
    private final Upgraders upgraders;

    private TypeMigration(Evolution evolution, boolean byCode, Upgraders upgraders) {
        this.evolution = evolution;
        this.byCode = byCode;
        this.upgraders = upgraders;
    }

    /**
     * What leads from the stored versions of a type to the declared one. A given upgrader goes before steps.
     *
     * @param versions every version of the type; the newest one is that which the next version follows
     * @param declaredSteps the steps from the newest version that the model declares
     */
    public static TypeMigration of(
            List<SchemaVersion> versions, OntologyType declared, List<SchemaStep> declaredSteps, Upgraders given) {
        TypeRef type = declared.ref();
        Map<Long, SchemaVersion> known = new TreeMap<>();
        versions.forEach(version -> known.put(version.version(), version));
        SchemaVersion newest = versions.get(versions.size() - 1);
        Evolution evolution = Evolution.of(newest.describe(), declared, declaredSteps);
        boolean byCode =
                given.missing(type, newest.version(), newest.version() + 1).isEmpty();
        Upgraders all = given;
        if (evolution.isComplete()) {
            all = all.orElse(upgrader(type, newest.version(), evolution.steps(), newest.describe()));
        }
        for (SchemaVersion version : versions) {
            SchemaVersion next = known.get(version.version() + 1);
            if (next != null) {
                OntologyType before = version.describe();
                Upgraders sofar = all;
                all = (next.upgrade().isPresent()
                                ? StoredUpgrade.steps(next)
                                : Evolution.unrecorded(before, next.describe()))
                        .map(steps -> sofar.orElse(upgrader(type, version.version(), steps, before)))
                        .orElse(sofar);
            }
        }
        return new TypeMigration(evolution, byCode, all);
    }

    private static Upgrader upgrader(TypeRef type, long from, List<SchemaStep> steps, OntologyType before) {
        return new Upgrader(type, from, new Transition.BySteps(steps, before)::apply);
    }

    /** What upgrades rows of every version that something is known about. */
    public Upgraders upgraders() {
        return upgraders;
    }

    /** Whether rows get their new form by steps, and no upgrader is needed. */
    public boolean isBySteps() {
        return evolution.isComplete() && !byCode;
    }

    /** Each difference with what it means for old rows. */
    public List<SchemaChange> changes() {
        return byCode ? evolution.changes().stream().map(TypeMigration::byCode).toList() : evolution.changes();
    }

    private static SchemaChange byCode(SchemaChange change) {
        return change.kind() == SchemaChange.Kind.INDEX
                ? change
                : new SchemaChange(change.field(), change.kind(), "the given upgrader rewrites them");
    }

    /** The steps that would be recorded. */
    public List<SchemaStep> steps() {
        return isBySteps() ? evolution.steps() : List.of();
    }

    /** What is stored with the next version. */
    public String record() {
        return isBySteps() ? StoredUpgrade.of(evolution.steps()) : StoredUpgrade.CODE;
    }
}
