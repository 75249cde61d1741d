package io.ontologia.store.object.internal.engine;

import io.ontologia.core.TypeRef;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The database of one store: an engine of its own with the store's file of latest versions, or of all versions. A failure that makes the engine
 * unusable therefore concerns one store only, and so does the memory that its open streams take.
 */
final class LocalDatabase {
    private static final Logger LOG = LoggerFactory.getLogger(LocalDatabase.class);

    private final Extent extent;
    private final Database database;
    private final LatestFile file;
    private final LatestCatalog catalog;
    private final LatestWriter writer;

    private LocalDatabase(
            Extent extent, Database database, LatestFile file, LatestCatalog catalog, LatestWriter writer) {
        this.extent = extent;
        this.database = database;
        this.file = file;
        this.catalog = catalog;
        this.writer = writer;
    }

    /**
     * Opens it, with the file that an earlier process left where that can be read.
     *
     * @param onNewTable is called with each type that gets a new table without an index
     */
    static LocalDatabase open(
            EngineOptions options,
            Extent extent,
            String storeId,
            FileColumns fileColumns,
            Consumer<TypeRef> onNewTable) {
        Database database = Database.open(options);
        boolean opened = false;
        try {
            LatestFile file = LatestFile.attach(database, options.folder(), extent, storeId);
            LatestCatalog catalog = new LatestCatalog(file.name());
            LocalDatabase local = new LocalDatabase(
                    extent, database, file, catalog, new LatestWriter(extent, catalog, fileColumns, onNewTable));
            opened = true;
            return local;
        } finally {
            if (!opened) {
                database.close();
            }
        }
    }

    /** Which versions its tables hold. */
    Extent extent() {
        return extent;
    }

    Database database() {
        return database;
    }

    LatestFile file() {
        return file;
    }

    LatestCatalog catalog() {
        return catalog;
    }

    LatestWriter writer() {
        return writer;
    }

    /** Writes what is not in the file yet, and closes both. Streams that are still open fail from then on. */
    void close() {
        database.endStreams();
        try {
            file.close();
        } finally {
            database.close();
            file.release();
        }
    }

    /** Closes it and deletes the file. What still reads from it goes on until it fails. */
    void discard() {
        try {
            database.close();
        } catch (RuntimeException e) {
            LOG.atDebug().setCause(e).log("a damaged database was not closed");
        }
        file.delete();
    }
}
