package io.ontologia.core.spi;

/** Opens stores of one backend; found by {@link java.util.ServiceLoader}. */
public interface StorageProvider {
    /** Whether this backend opens such URIs. */
    boolean accepts(String uri);

    /** The form of URI that this backend opens, for messages, for example {@code sqlite:///path.db}. */
    String uriForm();

    /** Opens the store that a URI names. */
    Storage open(String uri, StorageOptions options);
}
