package io.ontologia.nameservice.dynamodb;

import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.NameserviceOptions;
import io.ontologia.nameservice.dynamodb.internal.DynamoClients;
import io.ontologia.nameservice.dynamodb.internal.DynamoNameservice;
import io.ontologia.nameservice.dynamodb.internal.TableLocation;
import io.ontologia.testkit.SettableClock;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;

/** A connection to DynamoDB on which the next requests go wrong as told, and which remembers what was asked for. */
final class FaultyDynamo implements SdkHttpClient {
    private final SdkHttpClient real = Apache5HttpClient.create();
    private final Queue<Fault> faults = new ArrayDeque<>();
    private final List<String> operations = new ArrayList<>();

    /** What goes wrong with a request. */
    interface Fault {
        HttpExecuteResponse apply(ExecutableHttpRequest request) throws IOException;
    }

    /** It is carried out, and no reply comes. */
    static Fault lostReply() {
        return then(() -> {});
    }

    /** It is carried out, something happens, and no reply comes. */
    static Fault then(Runnable meanwhile) {
        return request -> {
            request.call().responseBody().ifPresent(AbortableInputStream::abort);
            meanwhile.run();
            throw new SocketTimeoutException("Read timed out");
        };
    }

    /** It never arrives, something happens, and no reply comes. */
    static Fault lostRequest(Runnable meanwhile) {
        return request -> {
            meanwhile.run();
            throw new SocketTimeoutException("Read timed out");
        };
    }

    /** It is refused with an error of the service. */
    static Fault error(int status, String code) {
        return request -> HttpExecuteResponse.builder()
                .response(SdkHttpResponse.builder()
                        .statusCode(status)
                        .putHeader("Content-Type", "application/x-amz-json-1.0")
                        .build())
                .responseBody(AbortableInputStream.create(new ByteArrayInputStream(
                        ("{\"__type\":\"com.amazonaws.dynamodb.v20120810#" + code + "\",\"message\":\"no\"}")
                                .getBytes(StandardCharsets.UTF_8))))
                .build();
    }

    /** A nameservice on this connection. */
    Nameservice open(TableLocation location) {
        return new DynamoNameservice(
                location,
                DynamoClients.builder(location).httpClient(this).build(),
                NameserviceOptions.defaults().clock(new SettableClock()));
    }

    /** Lets the next requests go wrong, one after the other. */
    synchronized void next(Fault... planned) {
        faults.addAll(List.of(planned));
    }

    /** Lets the next requests go wrong in the same way. */
    synchronized void next(int times, Fault fault) {
        for (int i = 0; i < times; i++) {
            faults.add(fault);
        }
    }

    /** The operations that were asked for since the last call of this. */
    synchronized List<String> operations() {
        List<String> seen = List.copyOf(operations);
        operations.clear();
        return seen;
    }

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
        ExecutableHttpRequest prepared = real.prepareRequest(request);
        return new ExecutableHttpRequest() {
            @Override
            public HttpExecuteResponse call() throws IOException {
                Fault fault = begin(request);
                return fault == null ? prepared.call() : fault.apply(prepared);
            }

            @Override
            public void abort() {
                prepared.abort();
            }
        };
    }

    private synchronized @org.jspecify.annotations.Nullable Fault begin(HttpExecuteRequest request) {
        operations.add(request.httpRequest()
                .firstMatchingHeader("X-Amz-Target")
                .orElse("?")
                .replaceFirst(".*\\.", ""));
        return faults.poll();
    }

    @Override
    public void close() {
        real.close();
    }
}
