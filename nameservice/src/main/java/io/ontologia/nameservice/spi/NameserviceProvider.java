package io.ontologia.nameservice.spi;

import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.NameserviceOptions;

/** Opens nameservices of one backend; found by {@link java.util.ServiceLoader}. Needs a constructor without parameters. */
public interface NameserviceProvider {
    /** Whether this backend opens such URIs. */
    boolean accepts(String uri);

    /** The form of URI that this backend opens, for messages, for example {@code dynamodb://table}. */
    String uriForm();

    /** Opens the nameservice that a URI names. */
    Nameservice open(String uri, NameserviceOptions options);
}
