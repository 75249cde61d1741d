package io.ontologia.objectstore.internal.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ByteRange;
import io.ontologia.objectstore.DeleteOutcome;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.GetOptions;
import io.ontologia.objectstore.GetOutcome;
import io.ontologia.objectstore.ListPage;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectStoreOptions;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import io.ontologia.objectstore.S3Options;
import io.ontologia.testkit.SettableClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hc.client5.http.DnsResolver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;

/** What goes over the wire, and what is made of answers that no server here gives on demand. */
class S3WireIT {
    private static final ETag ETAG = new ETag("0123abcd");
    private static final String LAST_MODIFIED = "Thu, 01 Jan 2026 00:00:00 GMT";

    private ScriptedServer server;
    private ObjectStore store;

    @BeforeEach
    void open() throws IOException {
        server = new ScriptedServer();
        store = open("s3://bucket/folder", S3Options.defaults().endpoint(server.endpoint()));
    }

    @AfterEach
    void close() {
        store.close();
        server.close();
    }

    @Test
    void a_conditional_write_is_one_plain_request_with_the_bare_etag() {
        server.success("new");

        store.putIfMatch("key", Payload.of("body"), ETAG);

        assertThat(server.received()).singleElement().satisfies(request -> {
            assertThat(request.method()).isEqualTo("PUT");
            assertThat(request.uri()).isEqualTo("/bucket/folder/key");
            assertThat(request.body()).isEqualTo("body");
            assertThat(request.header("If-Match")).isEqualTo("0123abcd");
            assertThat(request.header("Content-Length")).isEqualTo("4");
            assertThat(request.header("Authorization")).startsWith("AWS4-HMAC-SHA256");
            assertThat(request.headers().keySet())
                    .doesNotContain("Expect", "Transfer-Encoding", "Content-Encoding", "X-amz-decoded-content-length")
                    .noneMatch(name -> name.startsWith("X-amz-checksum"));
        });
    }

    @Test
    void a_creation_names_no_version() {
        server.success("new");

        PutOutcome outcome = store.putIfAbsent("key", Payload.of("body"));

        assertThat(outcome).isEqualTo(new PutOutcome.Written(new ETag("new")));
        assertThat(server.received())
                .singleElement()
                .satisfies(
                        request -> assertThat(request.header("If-None-Match")).isEqualTo("*"));
    }

    @ParameterizedTest
    @CsvSource({
        "AUTO, 127.0.0.1, /bucket/folder/key",
        "PATH, s3.test, /bucket/folder/key",
        "VIRTUAL_HOST, bucket.s3.test, /folder/key"
    })
    void the_bucket_goes_where_the_addressing_says(S3Options.Addressing addressing, String host, String path) {
        server.success("new");
        String endpoint = addressing == S3Options.Addressing.AUTO ? "127.0.0.1" : "s3.test";
        S3Options options = S3Options.defaults()
                .endpoint(URI.create("http://" + endpoint + ":" + server.port()))
                .addressing(addressing);

        try (ObjectStore addressed = open("s3://bucket/folder", options)) {
            addressed.put("key", Payload.of("x"));
        }

        assertThat(server.received()).singleElement().satisfies(request -> {
            assertThat(request.header("Host")).isEqualTo(host + ":" + server.port());
            assertThat(request.uri()).isEqualTo(path);
        });
    }

    @Test
    void a_conflict_with_a_request_under_way_is_tried_again() {
        server.error(409, "ConditionalRequestConflict").success("new");

        PutOutcome outcome = store.putIfMatch("key", Payload.of("body"), ETAG);

        assertThat(outcome).isEqualTo(new PutOutcome.Written(new ETag("new")));
        assertThat(server.received()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({"412, PreconditionFailed", "404, NoSuchKey"})
    void a_version_that_is_not_there_is_refused_at_once(int status, String code) {
        server.error(status, code);

        assertThat(store.putIfMatch("key", Payload.of("body"), ETAG)).isInstanceOf(PutOutcome.Refused.class);
        assertThat(store.deleteIfMatch("key", ETAG)).isInstanceOf(DeleteOutcome.Refused.class);
        assertThat(server.received()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 502, 503, 504})
    void a_server_error_on_a_conditional_write_is_settled_by_reading(int status) {
        server.error(status, "SlowDown")
                .error(412, "PreconditionFailed")
                .answer(200, Map.of("ETag", "\"new\"", "Last-Modified", LAST_MODIFIED), "body");

        PutOutcome outcome = store.putIfMatch("key", Payload.of("body"), ETAG);

        assertThat(outcome).isEqualTo(new PutOutcome.Written(new ETag("new")));
        assertThat(server.received())
                .extracting(ScriptedServer.Received::method)
                .containsExactly("PUT", "PUT", "GET");
    }

    @Test
    void a_not_found_without_its_error_code_is_asked_again() {
        server.answer(404, Map.of(), "").answer(404, Map.of(), "<?xml version=").error(404, "NoSuchKey");

        assertThat(store.get("key")).isEmpty();
        assertThat(server.received()).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource({"500, InternalError", "503, SlowDown", "429, TooManyRequests", "400, RequestTimeout"})
    void a_read_outlasts_a_busy_server(int status, String code) {
        server.error(status, code)
                .error(status, code)
                .answer(200, Map.of("ETag", "\"e\"", "Last-Modified", LAST_MODIFIED), "read");

        String text = store.get("key").orElseThrow().text();

        assertThat(text).isEqualTo("read");
        assertThat(server.received()).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource({"500, InternalError", "503, SlowDown", "429, TooManyRequests", "400, RequestTimeout"})
    void a_write_outlasts_a_busy_server(int status, String code) {
        server.error(status, code).error(status, code).success("new");

        ETag etag = store.put("key", Payload.of("x"));

        assertThat(etag).isEqualTo(new ETag("new"));
        assertThat(server.received()).hasSize(3);
    }

    @Test
    void a_write_that_was_only_ever_put_off_is_not_in_doubt() {
        server.error(429, "TooManyRequests");

        assertThatThrownBy(() -> store.put("key", Payload.of("x")))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.UNAVAILABLE));
        assertThatThrownBy(() -> store.putIfAbsent("key", Payload.of("x")))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.UNAVAILABLE));
    }

    @ParameterizedTest
    @CsvSource({
        "301, PermanentRedirect, INVALID_INPUT, s3_region",
        "400, AuthorizationHeaderMalformed, INVALID_INPUT, s3_region",
        "400, ExpiredToken, UNAVAILABLE, credentials",
        "400, InvalidRequest, UNAVAILABLE, InvalidRequest",
        "401, Unauthorized, UNAVAILABLE, credentials",
        "403, AccessDenied, UNAVAILABLE, credentials",
        "404, NoSuchBucket, NOT_FOUND, bucket",
        "404, NotS3AtAll, UNAVAILABLE, NotS3AtAll",
        "405, MethodNotAllowed, UNAVAILABLE, MethodNotAllowed",
        "501, NotImplemented, UNAVAILABLE, NotImplemented"
    })
    void a_refusal_for_good_is_reported_at_once_by_every_operation(
            int status, String code, ErrorKind kind, String hint) {
        server.error(status, code);

        assertThat(List.<Runnable>of(
                        () -> store.get("key"),
                        () -> store.put("key", Payload.of("x")),
                        () -> store.putIfAbsent("key", Payload.of("x")),
                        () -> store.delete("key"),
                        () -> store.deleteAll(List.of("key")),
                        () -> store.list(ListRequest.of(""))))
                .allSatisfy(call -> assertThatThrownBy(call::run)
                        .isInstanceOfSatisfying(
                                OntologiaException.class,
                                e -> assertThat(e.kind()).isEqualTo(kind))
                        .hasMessageContaining(hint)
                        .hasMessageContaining("s3://bucket/folder"));
        assertThat(server.received()).hasSize(6);
    }

    @Test
    void a_server_that_ignores_ranges_is_understood() {
        server.answer(200, Map.of("ETag", "\"e\"", "Last-Modified", LAST_MODIFIED), "0123456789");

        GetOutcome outcome = store.get("key", GetOptions.whole().range(ByteRange.of(2, 3)));

        assertThat(outcome).isInstanceOfSatisfying(GetOutcome.Found.class, found -> {
            assertThat(found.object().text()).isEqualTo("234");
            assertThat(found.object().size()).isEqualTo(10);
        });
    }

    @Test
    void a_page_that_is_empty_but_not_the_last_is_passed_over() {
        server.answer(
                        200,
                        Map.of(),
                        listing("<IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken>"))
                .answer(
                        200,
                        Map.of(),
                        listing("<IsTruncated>false</IsTruncated><Contents><Key>folder/key</Key><Size>3</Size>"
                                + "<LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>"));

        ListPage page = store.list(ListRequest.of(""));

        assertThat(page.objects())
                .singleElement()
                .satisfies(object -> assertThat(object.key()).isEqualTo("key"));
        assertThat(page.next()).isEmpty();
        assertThat(server.received().get(1).uri()).contains("continuation-token=t");
    }

    @Test
    void many_keys_are_deleted_a_thousand_at_a_time_and_busy_ones_again() {
        String busy = "<Error><Key>folder/k0</Key><Code>SlowDown</Code></Error>";
        String locked = "<Error><Key>folder/k1</Key><Code>AccessDenied</Code></Error>";
        server.answer(200, Map.of(), deleteResult(busy + locked))
                .answer(200, Map.of(), deleteResult(""))
                .answer(200, Map.of(), deleteResult(""));
        List<String> keys = IntStream.range(0, 1500).mapToObj(i -> "k" + i).toList();

        Map<String, String> refused = store.deleteAll(keys);

        assertThat(refused).containsExactly(Map.entry("k1", "AccessDenied"));
        assertThat(server.received())
                .extracting(request -> request.body().split("<Key>", -1).length - 1)
                .containsExactly(1000, 1, 500);
        assertThat(server.received()).allSatisfy(request -> {
            assertThat(request.header("Content-MD5")).isNotEmpty();
            assertThat(request.body()).contains("<Quiet>true</Quiet>");
        });
    }

    @Test
    void a_key_that_xml_cannot_hold_is_deleted_by_itself() {
        server.answer(204, Map.of(), "");

        Map<String, String> refused = store.deleteAll(List.of("odd\uFFFF"));

        assertThat(refused).isEmpty();
        assertThat(server.received()).singleElement().satisfies(request -> {
            assertThat(request.method()).isEqualTo("DELETE");
            assertThat(request.uri()).isEqualTo("/bucket/folder/odd%EF%BF%BF");
        });
    }

    @Test
    void a_creation_that_meets_a_delete_is_tried_again() {
        server.error(404, "NoSuchKey").success("new");

        PutOutcome outcome = store.putIfAbsent("key", Payload.of("body"));

        assertThat(outcome).isEqualTo(new PutOutcome.Written(new ETag("new")));
    }

    @Test
    void a_success_without_an_etag_confirms_nothing() {
        server.answer(200, Map.of(), "");

        assertThatThrownBy(() -> store.put("key", Payload.of("x")))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.UNKNOWN_OUTCOME));
        assertThatThrownBy(() -> store.get("key"))
                .isInstanceOfSatisfying(
                        OntologiaException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.UNAVAILABLE));
    }

    private static String listing(String content) {
        return "<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">" + content + "</ListBucketResult>";
    }

    private static String deleteResult(String content) {
        return "<DeleteResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">" + content + "</DeleteResult>";
    }

    private static ObjectStore open(String uri, S3Options options) {
        return new S3ObjectStore(
                uri,
                ObjectStoreOptions.defaults()
                        .clock(new SettableClock())
                        .s3(options.requestTimeout(Duration.ofMinutes(2))),
                StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "testtest")),
                Apache5HttpClient.builder().dnsResolver(new EverythingIsLocal()));
    }

    private static final class EverythingIsLocal implements DnsResolver {
        @Override
        public InetAddress[] resolve(String host) {
            return new InetAddress[] {InetAddress.getLoopbackAddress()};
        }

        @Override
        public String resolveCanonicalHostname(String host) throws UnknownHostException {
            return host;
        }
    }
}
