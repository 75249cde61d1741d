package io.ontologia.store.object.internal.engine;

import io.ontologia.core.TypeRef;
import java.sql.SQLException;
import java.util.Set;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The types whose tables were asked for before there was one. Used under the lock of the tables that it belongs to. */
final class WantedTables {
    private static final Logger LOG = LoggerFactory.getLogger(WantedTables.class);

    private final LatestTables tables;

    /** Read when the first type is added. */
    private @Nullable Set<TypeRef> types;

    WantedTables(LatestTables tables) {
        this.tables = tables;
    }

    /** Adds a type; false when it was wanted already. */
    boolean add(TypeRef type) {
        Set<TypeRef> known = types;
        if (known == null) {
            known = read();
            types = known;
        }
        return known.add(type);
    }

    void remove(TypeRef type) {
        if (types != null) {
            types.remove(type);
        }
    }

    /** Forgets what was read, because the file is gone. */
    void forget() {
        types = null;
    }

    private Set<TypeRef> read() {
        try {
            return tables.ask(current -> {
                try (Reading reading = Reading.begin(current.database())) {
                    return current.catalog().asked(reading.connection());
                }
            });
        } catch (SQLException e) {
            throw DuckErrors.wrap("cannot read which latest versions are wanted", e);
        }
    }

    /** Writes them into the file, for the process that uses it next. */
    void write(LocalDatabase current) {
        Set<TypeRef> known = types;
        if (known == null) {
            return;
        }
        try (DuckDBConnection connection = current.database().connect()) {
            current.catalog().noteAsked(connection, known);
        } catch (SQLException e) {
            LOG.atDebug().setCause(e).log("not noted which latest versions are wanted");
        }
    }
}
