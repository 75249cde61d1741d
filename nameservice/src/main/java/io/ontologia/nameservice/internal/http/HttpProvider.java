package io.ontologia.nameservice.internal.http;

import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.NameserviceOptions;
import io.ontologia.nameservice.spi.NameserviceProvider;

/** Opens {@code http://host:port/base} and {@code https://…}. Sends nothing until the first call. */
public final class HttpProvider implements NameserviceProvider {
    /** For the service loader. */
    public HttpProvider() {}

    @Override
    public boolean accepts(String uri) {
        return uri.startsWith("http://") || uri.startsWith("https://");
    }

    @Override
    public String uriForm() {
        return "https://host:port";
    }

    @Override
    public Nameservice open(String uri, NameserviceOptions options) {
        return new HttpNameservice(ServiceLocation.parse(uri), options);
    }
}
