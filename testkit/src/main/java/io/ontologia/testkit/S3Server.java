package io.ontologia.testkit;

import java.lang.reflect.Field;
import java.net.URI;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.nio2blob.TransientNio2BlobStore;
import org.gaul.shaded.org.eclipse.jetty.server.Server;

/**
 * S3Proxy in this process, with everything in memory. As shipped it checks a condition and then writes, so that of two
 * writers both may win; here a {@link KeyLock} makes each request to a key atomic, and an {@link Utf8OrderedBlobStore} lists keys in the order of S3.
 *
 * <p>It wants the bucket in the path of the URL. A key that is also the folder of another one is refused with HTTP 500.
 */
public final class S3Server implements S3TestServer {
    private static final String HOST = "127.0.0.1";

    private final S3Proxy proxy;

    private S3Server(S3Proxy proxy) {
        this.proxy = proxy;
    }

    /** Starts one on a free port. */
    public static S3Server start() {
        S3TestCredentials credentials = S3TestCredentials.ofThisProcess();
        S3Proxy proxy = S3Proxy.builder()
                .endpoint(URI.create("http://" + HOST + ":0"))
                .blobStore(new Utf8OrderedBlobStore(new TransientNio2BlobStore()))
                .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, credentials.accessKey(), credentials.secretKey())
                .ignoreUnknownHeaders(true)
                .jettyMaxThreads(64)
                // Any other value makes stopping fail when a client left a connection open.
                .stopTimeout(0)
                .build();
        try {
            Server jetty = jettyOf(proxy);
            jetty.setHandler(new KeyLock(jetty.getHandler()));
            proxy.start();
        } catch (Exception e) {
            throw new IllegalStateException("S3Proxy does not start", e);
        }
        return new S3Server(proxy);
    }

    /** S3Proxy keeps it to itself, and offers no other place to put a lock in. */
    private static Server jettyOf(S3Proxy proxy) throws ReflectiveOperationException {
        Field field = S3Proxy.class.getDeclaredField("server");
        field.setAccessible(true);
        return (Server) field.get(proxy);
    }

    @Override
    public URI endpoint() {
        return URI.create("http://" + HOST + ":" + proxy.getPort());
    }

    @Override
    public void close() {
        try {
            proxy.stop();
        } catch (Exception e) {
            throw new IllegalStateException("S3Proxy does not stop", e);
        }
    }
}
