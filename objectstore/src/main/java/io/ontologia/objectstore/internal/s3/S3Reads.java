package io.ontologia.objectstore.internal.s3;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.FileModes;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ByteRange;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.GetOptions;
import io.ontologia.objectstore.GetOutcome;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.objectstore.StoredObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/** Reads objects. */
final class S3Reads {
    private static final int CHUNK = 64 * 1024;

    private final S3Client client;
    private final S3Location location;

    S3Reads(S3Client client, S3Location location) {
        this.client = client;
        this.location = location;
    }

    GetOutcome get(S3Operation operation, String key, GetOptions options) {
        return operation.<GetOutcome>read(
                limit -> found(operation, key, options, limit), fault -> switch (fault.meaning()) {
                    case NO_SUCH_KEY -> Optional.of(new GetOutcome.Missing());
                    case NOT_MODIFIED -> Optional.of(new GetOutcome.NotModified());
                    case OUT_OF_RANGE -> Optional.of(outOfRange(operation, key, options, fault));
                    default -> Optional.empty();
                });
    }

    private GetOutcome found(S3Operation operation, String key, GetOptions options, Duration limit) throws IOException {
        GetObjectRequest.Builder request = request(key, limit);
        options.range().ifPresent(range -> request.range(header(range)));
        options.ifNoneMatch().ifPresent(etag -> request.ifNoneMatch('"' + etag.value() + '"'));
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        GetObjectResponse response =
                receive(operation, request.build(), body, bytes -> options.requireAtMost(key, bytes));
        byte[] bytes = body.toByteArray();
        long size = sizeOf(response, bytes.length);
        StoredObject object = new StoredObject(
                bytes, etag(response.eTag()), size, lastModified(response), readAt(operation, response));
        // HTTP allows a server to ignore the range, and to answer one of an empty object with nothing.
        boolean whole = response.contentRange() == null;
        return whole ? part(key, object, options) : new GetOutcome.Found(object);
    }

    private static GetOutcome part(String key, StoredObject whole, GetOptions options) {
        if (options.range().isEmpty()) {
            return new GetOutcome.Found(whole);
        }
        ByteRange range = options.range().get();
        range.requireWithin(key, whole.size());
        byte[] bytes =
                Arrays.copyOfRange(whole.bytes(), (int) range.first(whole.size()), (int) range.end(whole.size()));
        return new GetOutcome.Found(
                new StoredObject(bytes, whole.etag(), whole.size(), whole.lastModified(), whole.readAt()));
    }

    Optional<ObjectSummary> download(S3Operation operation, String key, Path target) {
        return operation.<Optional<ObjectSummary>>read(
                limit -> {
                    try (LocalFile file = new LocalFile(target)) {
                        GetObjectResponse response =
                                receive(operation, request(key, limit).build(), file, bytes -> {});
                        return Optional.of(new ObjectSummary(key, file.length, lastModified(response)));
                    }
                },
                fault -> fault.meaning() == S3Fault.Meaning.NO_SUCH_KEY
                        ? Optional.of(Optional.empty())
                        : Optional.empty());
    }

    private GetObjectRequest.Builder request(String key, Duration limit) {
        return GetObjectRequest.builder()
                .bucket(location.bucket())
                .key(location.inBucket(key))
                .overrideConfiguration(c -> c.apiCallTimeout(limit));
    }

    /** @param check is called with the length that the server announces, and with what arrived so far */
    private GetObjectResponse receive(
            S3Operation operation, GetObjectRequest request, OutputStream body, LongConsumer check) throws IOException {
        try (ResponseInputStream<GetObjectResponse> in = client.getObject(request)) {
            long announced = Objects.requireNonNullElse(in.response().contentLength(), 0L);
            operation.expectBody(announced);
            try {
                check.accept(announced);
                byte[] chunk = new byte[CHUNK];
                long received = 0;
                for (int n = in.read(chunk); n >= 0; n = in.read(chunk)) {
                    received += n;
                    check.accept(received);
                    body.write(chunk, 0, n);
                    operation.requireTime();
                }
            } catch (IOException | RuntimeException e) {
                // Closing would first read the rest.
                in.abort();
                throw e;
            }
            return in.response();
        }
    }

    private GetOutcome outOfRange(S3Operation operation, String key, GetOptions options, S3Fault fault) {
        Optional<Long> size = fault.reply()
                .flatMap(reply -> reply.awsErrorDetails().sdkHttpResponse().firstMatchingHeader("Content-Range"))
                .flatMap(S3Reads::totalIn);
        if (size.isPresent()) {
            options.range().ifPresent(range -> range.requireWithin(key, size.get()));
        }
        // Not every server tells the size, and the object may have grown since.
        GetOutcome whole =
                get(operation, key, new GetOptions(Optional.empty(), options.ifNoneMatch(), options.mostBytes()));
        return whole instanceof GetOutcome.Found found ? part(key, found.object(), options) : whole;
    }

    private static long sizeOf(GetObjectResponse response, long received) {
        return Optional.ofNullable(response.contentRange())
                .flatMap(S3Reads::totalIn)
                .orElse(received);
    }

    /** The size of the whole object in {@code bytes 0-4/10} or <code>bytes *&#47;10</code>. */
    private static Optional<Long> totalIn(String contentRange) {
        String total = contentRange.substring(contentRange.lastIndexOf('/') + 1).strip();
        return total.matches("\\d{1,18}") ? Optional.of(Long.valueOf(total)) : Optional.empty();
    }

    private static String header(ByteRange range) {
        if (range instanceof ByteRange.Slice slice) {
            return "bytes=" + slice.first() + "-" + (slice.first() + slice.length() - 1);
        }
        return range instanceof ByteRange.Suffix suffix
                ? "bytes=-" + suffix.length()
                : "bytes=" + ((ByteRange.Tail) range).first() + "-";
    }

    /** The ETag in a header, where quotes stand around it. */
    static ETag etag(@Nullable String header) {
        return new ETag(required(header, "ETag").replace("\"", ""));
    }

    /** When the server answered, by its clock; by ours where it does not say. */
    private static Instant readAt(S3Operation operation, GetObjectResponse response) {
        return response.sdkHttpResponse()
                .firstMatchingHeader("Date")
                .flatMap(S3Reads::instantIn)
                .orElseGet(operation::now);
    }

    private static Optional<Instant> instantIn(String date) {
        try {
            return Optional.of(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date, Instant::from));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    private static Instant lastModified(GetObjectResponse response) {
        return required(response.lastModified(), "Last-Modified");
    }

    private static <T> T required(@Nullable T header, String name) {
        if (header == null) {
            throw new IllegalStateException("the reply has no " + name);
        }
        return header;
    }

    /** A file whose failures are told from those of the connection: repeating the request would not cure them. */
    private static final class LocalFile extends OutputStream {
        private final Path path;
        private final OutputStream out;
        private long length;

        private LocalFile(Path path) {
            this.path = path;
            try {
                this.out = FileModes.PRIVATE.newOutputStream(path);
            } catch (IOException e) {
                throw unwritable(e);
            }
        }

        @Override
        public void write(int b) {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int count) {
            try {
                out.write(bytes, offset, count);
                length += count;
            } catch (IOException e) {
                throw unwritable(e);
            }
        }

        @Override
        public void close() {
            try {
                out.close();
            } catch (IOException e) {
                throw unwritable(e);
            }
        }

        private OntologiaException unwritable(IOException e) {
            return new OntologiaException(
                    ErrorKind.UNAVAILABLE,
                    "cannot write " + path,
                    e.getClass().getSimpleName(),
                    "check folder and free space",
                    e);
        }
    }
}
