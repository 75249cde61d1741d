package io.ontologia.nameservice;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.spi.RecordRules;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a record is created from. It starts unborn: head, index and config at watermark 0 without payload, status at 1 with
 * {@code {"state":"ready"}}.
 *
 * @param alias its name, in the {@link Alias.Space} of its type
 * @param type what it is about
 * @param deps the aliases of what it depends on; empty for ledgers
 * @param createdAt when it was created, when that was earlier and elsewhere; usually empty, meaning now
 */
public record NewRecord(Alias alias, EntityType type, List<String> deps, Optional<Instant> createdAt) {
    public NewRecord {
        deps = RecordRules.requireDeps(alias, deps);
        if (alias.space() != type.space()) {
            throw new OntologiaException(
                    ErrorKind.INVALID_INPUT,
                    "cannot create '" + alias + "' as " + type,
                    "aliases of graph sources start with vg:, and only theirs",
                    "use the alias " + (type.space() == Alias.Space.LEDGER ? "" : "vg:") + alias.name());
        }
    }

    /** A ledger. */
    public static NewRecord ledger(Alias alias) {
        return of(alias, EntityType.LEDGER);
    }

    /** A record of any type, without dependencies. */
    public static NewRecord of(Alias alias, EntityType type) {
        return new NewRecord(alias, type, List.of(), Optional.empty());
    }

    /** The same with dependencies. */
    public NewRecord deps(List<String> names) {
        return new NewRecord(alias, type, names, createdAt);
    }

    /** The same, created at another time than now. */
    public NewRecord createdAt(Instant moment) {
        return new NewRecord(alias, type, deps, Optional.of(moment));
    }
}
