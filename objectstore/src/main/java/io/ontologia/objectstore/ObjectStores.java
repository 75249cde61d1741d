package io.ontologia.objectstore;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.internal.directory.DirectoryObjectStore;
import io.ontologia.objectstore.internal.memory.MemoryObjectStore;
import io.ontologia.objectstore.internal.memory.NamedMemory;
import io.ontologia.objectstore.internal.s3.S3ObjectStore;
import java.security.SecureRandom;

/**
 * Opens object stores by URI: {@code s3://bucket/prefix}, {@code file:///folder}, {@code memory:} for one that only the
 * opener sees, or {@code memory:name} for one that the whole process shares and keeps until it ends.
 */
public final class ObjectStores {
    private ObjectStores() {}

    /**
     * Opens the store that a URI names, with {@link ObjectStoreOptions#defaults()}.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when the URI names none
     */
    public static ObjectStore open(String uri) {
        return open(uri, ObjectStoreOptions.defaults());
    }

    /** As {@link #open(String)}, with another clock. */
    public static ObjectStore open(String uri, Clock clock) {
        return open(uri, ObjectStoreOptions.defaults().clock(clock));
    }

    /**
     * As {@link #open(String)}, with other options. Opening {@code s3:} makes no request: a bucket that is missing or
     * cannot be reached is reported by the first operation.
     */
    public static ObjectStore open(String uri, ObjectStoreOptions options) {
        if (uri.equals("memory:")) {
            return new MemoryObjectStore(options.clock());
        }
        if (uri.startsWith("memory:")) {
            return new NamedMemory(uri.substring("memory:".length()), options.clock());
        }
        if (uri.startsWith("s3:")) {
            return new S3ObjectStore(uri, options);
        }
        if (uri.startsWith("file:")) {
            return DirectoryObjectStore.open(uri, options, new SecureRandom());
        }
        throw new OntologiaException(
                ErrorKind.INVALID_INPUT,
                "cannot open '" + withoutSecrets(uri) + "'",
                "it is not the URI of an object store",
                "use s3://bucket/prefix, file:///folder or memory:");
    }

    private static String withoutSecrets(String uri) {
        return uri.indexOf('@') < 0 ? uri : uri.replaceFirst(":.*", ":…");
    }
}
