package io.ontologia.nameservice;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.internal.memory.MemoryNameservice;
import io.ontologia.nameservice.internal.object.ObjectNameservices;
import io.ontologia.nameservice.spi.NameserviceProvider;
import io.ontologia.objectstore.ObjectStore;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Opens nameservices by URI: {@code memory:} for one that only the opener sees, {@code file:///dir?layout=A|B|C} and {@code
 * s3://bucket/prefix?layout=A|B|C} (B when none is named; the same for all clients of one place), and whatever the providers on the class path open
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

    /** A nameservice on an object store that is open; closing it closes the store. */
    public static Nameservice on(ObjectStore store, Layout layout, NameserviceOptions options) {
        return ObjectNameservices.on(store, layout, options);
    }

    /** As {@link #open(String)}, with other options. */
    public static Nameservice open(String uri, NameserviceOptions options) {
        if (uri.equals("memory:")) {
            return new MemoryNameservice(options.clock());
        }
        if (ObjectNameservices.accepts(uri)) {
            return ObjectNameservices.open(uri, options);
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
        String forms = Stream.concat(
                        Stream.of("memory:", "file:///dir?layout=B", "s3://bucket/prefix?layout=B"),
                        providers.stream().map(NameserviceProvider::uriForm))
                .collect(Collectors.joining(", "));
        throw new OntologiaException(
                ErrorKind.INVALID_INPUT,
                "cannot open '" + (uri.indexOf('@') < 0 ? uri : uri.replaceFirst(":.*", ":…")) + "'",
                "it is not the URI of a nameservice that is known here",
                "use one of " + forms);
    }
}
