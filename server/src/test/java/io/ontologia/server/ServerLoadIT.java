package io.ontologia.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.Nameservices;
import io.ontologia.nameservice.NewRecord;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server whose nameservice takes its time: each look-up waits until the test lets it go on. */
class ServerLoadIT {
    private final Nameservice names = Nameservices.open("memory:");
    private final CountDownLatch underWay = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final OntologiaServer server = OntologiaServer.start(
            slow(),
            ServerOptions.defaults().port(0).limits(ServerLimits.defaults().requests(1)));
    private final Http http = new Http(server.uri());

    private Nameservice slow() {
        return (Nameservice) Proxy.newProxyInstance(
                Nameservice.class.getClassLoader(), new Class<?>[] {Nameservice.class}, (proxy, method, args) -> {
                    if (method.getName().equals("lookup")) {
                        underWay.countDown();
                        assertThat(goOn.await(1, TimeUnit.MINUTES)).isTrue();
                    }
                    try {
                        return method.invoke(names, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @BeforeEach
    void create() {
        names.create(NewRecord.ledger(Alias.parse("mydb")));
    }

    @AfterEach
    void stop() {
        goOn.countDown();
        server.close();
        names.close();
    }

    private CompletableFuture<HttpResponse<String>> slowRequest() throws InterruptedException {
        CompletableFuture<HttpResponse<String>> reply = CompletableFuture.supplyAsync(() -> http.get("/v2/names/mydb"));
        assertThat(underWay.await(1, TimeUnit.MINUTES)).isTrue();
        return reply;
    }

    @Test
    void requests_over_the_limit_are_told_to_come_back() throws Exception {
        CompletableFuture<HttpResponse<String>> slow = slowRequest();

        HttpResponse<String> refused = http.get("/v2/names/mydb");
        goOn.countDown();

        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValue("Retry-After")).contains("1");
        assertThat(slow.get(1, TimeUnit.MINUTES).statusCode()).isEqualTo(200);
        assertThat(http.get("/v2/names/mydb").statusCode()).isEqualTo(200);
    }

    @Test
    void a_server_that_is_stopped_sends_the_replies_that_are_under_way() throws Exception {
        CompletableFuture<HttpResponse<String>> slow = slowRequest();

        CompletableFuture<Void> stopped = CompletableFuture.runAsync(server::close);
        while (http.get("/v2/names/mydb").statusCode() != 503) {
            // It is about to stop.
            Thread.onSpinWait();
        }
        goOn.countDown();

        assertThat(slow.get(1, TimeUnit.MINUTES).statusCode()).isEqualTo(200);
        stopped.get(1, TimeUnit.MINUTES);
    }
}
