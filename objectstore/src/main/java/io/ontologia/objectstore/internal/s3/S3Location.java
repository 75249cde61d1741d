package io.ontologia.objectstore.internal.s3;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ObjectKey;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Where a store lives: a bucket, and what its keys start with there.
 *
 * @param folder empty, or a prefix that ends in {@code /}
 */
record S3Location(String bucket, String folder) {
    private static final String SCHEME = "s3://";
    /** S3 allows keys of 1024 bytes. */
    private static final int MAX_FOLDER_BYTES = 1024 - ObjectKey.MAX_BYTES;

    private static final Pattern BUCKET = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");
    private static final Pattern IP_ADDRESS = Pattern.compile("\\d+(\\.\\d+){3}");

    /**
     * Reads {@code s3://bucket} or {@code s3://bucket/prefix}; the prefix is taken as it stands, without decoding.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} for anything else; without showing user-info,
     *     which may be a secret
     */
    static S3Location parse(String uri) {
        if (!uri.startsWith(SCHEME)) {
            throw invalid(uri, "it does not start with " + SCHEME, "use s3://bucket/prefix");
        }
        String rest = uri.substring(SCHEME.length());
        int slash = rest.indexOf('/');
        String bucket = slash < 0 ? rest : rest.substring(0, slash);
        String prefix = slash < 0 ? "" : rest.substring(slash + 1);
        boolean valid = BUCKET.matcher(bucket).matches()
                && !bucket.contains("..")
                && !IP_ADDRESS.matcher(bucket).matches();
        if (!valid && (bucket.indexOf(':') >= 0 || rest.indexOf('@') >= 0)) {
            // Nothing of it is shown: a secret key may hold slashes, so any part may be one.
            throw invalid(
                    "s3://…",
                    "credentials and ports do not belong into the URI",
                    "use s3://bucket/prefix, and give credentials where the AWS default chain finds them, for example in"
                            + " AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
        }
        if (!valid) {
            throw invalid(
                    uri,
                    "'" + bucket + "' is no bucket name",
                    "a bucket's name has 3 to 63 lower-case letters, digits, dots and hyphens");
        }
        return new S3Location(bucket, folderOf(uri, prefix));
    }

    private static String folderOf(String uri, String prefix) {
        String folder = prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix;
        if (folder.isEmpty()) {
            return "";
        }
        if (folder.indexOf('?') >= 0 || folder.indexOf('#') >= 0) {
            throw invalid(uri, "it holds a ? or #", "give options in the configuration, not in the URI");
        }
        if (folder.getBytes(StandardCharsets.UTF_8).length >= MAX_FOLDER_BYTES) {
            throw invalid(uri, "its prefix is longer than " + (MAX_FOLDER_BYTES - 1) + " bytes", "use a shorter one");
        }
        try {
            ObjectKey.require(folder);
        } catch (OntologiaException e) {
            throw invalid(uri, e.getMessage(), "");
        }
        return folder + "/";
    }

    /** The key in the bucket. */
    String inBucket(String key) {
        return folder + key;
    }

    /** The key in the store. */
    String inStore(String keyInBucket) {
        return keyInBucket.substring(folder.length());
    }

    /** The URI, without a slash at its end. */
    @Override
    public String toString() {
        return SCHEME + bucket + (folder.isEmpty() ? "" : "/" + folder.substring(0, folder.length() - 1));
    }

    private static OntologiaException invalid(String uri, String cause, String remedy) {
        return new OntologiaException(ErrorKind.INVALID_INPUT, "cannot open '" + uri + "'", cause, remedy);
    }
}
