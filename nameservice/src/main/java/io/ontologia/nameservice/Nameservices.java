package io.ontologia.nameservice;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.internal.memory.MemoryNameservice;
import io.ontologia.nameservice.spi.NameserviceProvider;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Opens nameservices by URI: {@code memory:} for one that only the opener sees, and whatever the providers on the class path open
 * ({@code dynamodb://table}, {@code https://…}).
 */
public final class Nameservices {
    private Nameservices() {}

    /**
     * Opens the nameservice that a URI names, with {@link NameserviceOptions#defaults()}.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when the URI names none
     */
    public static Nameservice open(String uri) {
        return open(uri, NameserviceOptions.defaults());
    }

    /** As {@link #open(String)}, with other options. */
    public static Nameservice open(String uri, NameserviceOptions options) {
        if (uri.equals("memory:")) {
            return new MemoryNameservice(options.clock());
        }
        List<NameserviceProvider> providers =
                ServiceLoader.load(NameserviceProvider.class, Nameservices.class.getClassLoader()).stream()
                        .map(ServiceLoader.Provider::get)
                        .toList();
        for (NameserviceProvider provider : providers) {
            if (provider.accepts(uri)) {
                return provider.open(uri, options);
            }
        }
        String forms = Stream.concat(Stream.of("memory:"), providers.stream().map(NameserviceProvider::uriForm))
                .collect(Collectors.joining(", "));
        throw new OntologiaException(
                ErrorKind.INVALID_INPUT,
                "cannot open '" + (uri.indexOf('@') < 0 ? uri : uri.replaceFirst(":.*", ":…")) + "'",
                "it is not the URI of a nameservice that is known here",
                "use one of " + forms);
    }
}
