package io.ontologia.objectstore;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.internal.directory.DirectoryObjectStore;
import io.ontologia.objectstore.internal.memory.MemoryObjectStore;
import java.security.SecureRandom;

/** Opens object stores by URI: {@code file:///folder}, {@code memory:}. */
public final class ObjectStores {
    private ObjectStores() {}

    /**
     * Opens the store that a URI names, on the machine's clock.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when the URI names none
     */
    public static ObjectStore open(String uri) {
        return open(uri, Clock.system());
    }

    /** As {@link #open(String)}, with another clock. */
    public static ObjectStore open(String uri, Clock clock) {
        if (uri.equals("memory:")) {
            return new MemoryObjectStore(clock);
        }
        if (uri.startsWith("file:")) {
            return DirectoryObjectStore.open(uri, clock, new SecureRandom());
        }
        throw new OntologiaException(
                ErrorKind.INVALID_INPUT,
                "cannot open '" + uri + "'",
                "it is not the URI of an object store",
                "use s3://bucket/prefix, file:///folder or memory:");
    }
}
