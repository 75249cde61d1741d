package io.ontologia.core.spi;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** Opens stores by URI, with the backends on the class path. */
public final class Storages {
    private Storages() {}

    /**
     * Opens the store that a URI names.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when no backend opens such a URI
     */
    public static Storage open(String uri, StorageOptions options) {
        List<StorageProvider> providers = ServiceLoader.load(StorageProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
        return providers.stream()
                .filter(provider -> provider.accepts(uri))
                .findFirst()
                .orElseThrow(() -> new OntologiaException(
                        ErrorKind.INVALID_INPUT,
                        "cannot open '" + uri + "'",
                        "no backend on the class path opens such a URI",
                        providers.isEmpty()
                                ? "add ontologia-store-sqlite to the class path"
                                : "use "
                                        + providers.stream()
                                                .map(StorageProvider::uriForm)
                                                .sorted()
                                                .collect(Collectors.joining(" or "))))
                .open(uri, options);
    }
}
