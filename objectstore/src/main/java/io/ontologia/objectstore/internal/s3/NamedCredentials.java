package io.ontologia.objectstore.internal.s3;

import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/** Credentials whose absence can be told from other failures of a request, which the SDK reports by text only. */
final class NamedCredentials implements AwsCredentialsProvider, SdkAutoCloseable {
    private final AwsCredentialsProvider source;

    NamedCredentials(AwsCredentialsProvider source) {
        this.source = source;
    }

    @Override
    public AwsCredentials resolveCredentials() {
        try {
            return source.resolveCredentials();
        } catch (AbortedException e) {
            throw e;
        } catch (SdkException e) {
            throw new Missing(e);
        }
    }

    @Override
    public void close() {
        if (source instanceof SdkAutoCloseable closeable) {
            closeable.close();
        }
    }

    /** No source of credentials gives any. */
    static final class Missing extends SdkClientException {
        private Missing(SdkException cause) {
            super(SdkClientException.builder().message("no credentials").cause(cause));
        }
    }
}
