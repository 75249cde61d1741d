package io.ontologia.store.sqlite;

import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.core.spi.StorageProvider;
import io.ontologia.store.sqlite.internal.SqliteStorage;
import io.ontologia.store.sqlite.internal.SqliteUri;

/**
 * Opens {@code sqlite:///relative.db}, {@code sqlite:////absolute.db} and {@code sqlite::memory:}. The last is a private
 * file in the temporary folder, gone when the store is closed.
 */
public final class SqliteProvider implements StorageProvider {
    @Override
    public boolean accepts(String uri) {
        return uri.startsWith("sqlite:");
    }

    @Override
    public String uriForm() {
        return "sqlite:///path.db";
    }

    @Override
    public Storage open(String uri, StorageOptions options) {
        return SqliteStorage.open(SqliteUri.parse(uri), options);
    }
}
