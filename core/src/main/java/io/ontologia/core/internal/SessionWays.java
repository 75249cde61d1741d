package io.ontologia.core.internal;

import io.ontologia.core.OntologyType;
import io.ontologia.core.TypeRef;
import io.ontologia.core.Upgraders;
import io.ontologia.core.internal.evolution.Ways;
import io.ontologia.core.spi.SchemaOutdatedException;
import io.ontologia.core.spi.Storage;
import java.util.HashMap;
import java.util.Map;

/** The ways from every stored version of a session's types to the versions that the session works with. */
final class SessionWays {
    private final Storage storage;
    private final SessionTypes types;
    private final Upgraders upgraders;
    private final Map<TypeRef, Ways> loaded = new HashMap<>();

    SessionWays(Storage storage, SessionTypes types, Upgraders upgraders) {
        this.storage = storage;
        this.types = types;
        this.upgraders = upgraders;
    }

    /** Whether the session knows the schema version of a type. */
    boolean knows(TypeRef type) {
        return types.types().containsKey(type) && types.versions().containsKey(type);
    }

    /** Whether the session works with the newest version of a type. */
    boolean isNewest(TypeRef type) {
        return types.isNewest(type);
    }

    /** Whether a type has, or had, more than one version, so that its past may hold rows of others. */
    boolean hasOthers(TypeRef type) {
        return types.newest(type) > 1;
    }

    /** The ways to the version of a known type that the session works with. */
    Ways of(TypeRef type) {
        Ways ways = loaded.get(type);
        if (ways == null || ways.current() != types.newest(type)) {
            ways = load(type);
            loaded.put(type, ways);
        }
        return ways;
    }

    private Ways load(TypeRef type) {
        OntologyType declared = types.require(type);
        return Ways.to(declared, types.versions().getOrDefault(type, 1L), storage.schemaVersions(type), upgraders);
    }

    /**
     * Takes over the newest version of a type.
     *
     * @return whether it is another one than before
     * @throws SchemaOutdatedException when its rows cannot be shown in the version that the session works with
     */
    boolean refresh(TypeRef type) {
        Long opened = types.versions().get(type);
        if (opened == null) {
            return false;
        }
        long now = storage.schemaVersion(type);
        if (now == types.newest(type)) {
            return false;
        }
        if (now == 0) {
            throw SchemaOutdatedException.sinceOpening(type, opened, now);
        }
        Ways ways = load(type);
        if (ways.current() < now || ways.from(now).isEmpty()) {
            throw SchemaOutdatedException.sinceOpening(type, opened, now);
        }
        loaded.put(type, ways);
        types.newest(type, ways.current());
        return true;
    }
}
