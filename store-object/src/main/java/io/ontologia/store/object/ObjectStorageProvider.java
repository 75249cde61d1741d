package io.ontologia.store.object;

import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.StorageOptions;
import io.ontologia.core.spi.StorageProvider;
import io.ontologia.store.object.internal.OpenStores;

/**
 * Opens {@code s3://bucket/prefix}, {@code file:///folder}, {@code memory:} (seen only by its opener) and {@code
 * memory:name} (shared by the whole process). The same objects are on all of them.
 */
public final class ObjectStorageProvider implements StorageProvider {
    @Override
    public boolean accepts(String uri) {
        return uri.startsWith("s3:") || uri.startsWith("file:") || uri.startsWith("memory:");
    }

    @Override
    public String uriForm() {
        return "s3://bucket/prefix, file:///folder, memory:";
    }

    @Override
    public Storage open(String uri, StorageOptions options) {
        return OpenStores.open(uri, options);
    }
}
