package io.ontologia.bench;

import com.amazonaws.services.dynamodbv2.local.main.ServerRunner;
import com.amazonaws.services.dynamodbv2.local.server.DynamoDBProxyServer;
import io.ontologia.kernel.Clock;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.NameserviceOptions;
import io.ontologia.nameservice.dynamodb.NameserviceTable;
import io.ontologia.nameservice.dynamodb.internal.DynamoClients;
import io.ontologia.nameservice.dynamodb.internal.DynamoNameservice;
import io.ontologia.nameservice.dynamodb.internal.TableLocation;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Set;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/** DynamoDB Local in this process, with everything in memory, seen from far away. */
final class LocalDynamo implements AutoCloseable {
    private final DynamoDBProxyServer server;
    private final String uri;

    LocalDynamo() throws Exception {
        System.setProperty("aws.accessKeyId", "bench");
        System.setProperty("aws.secretAccessKey", "benchbench");
        System.setProperty("aws.region", "us-east-1");
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        server = ServerRunner.createServerFromCommandLineArgs(
                new String[] {"-inMemory", "-disableTelemetry", "-port", Integer.toString(port)});
        server.start();
        uri = "dynamodb://names?endpoint=http://127.0.0.1:" + port;
    }

    /** A nameservice on it, each of whose requests takes a while more. */
    Nameservice names(Duration distance) {
        NameserviceTable.create(uri, Set.of(), NameserviceOptions.defaults());
        TableLocation location = TableLocation.parse(uri);
        return new DynamoNameservice(
                location,
                DynamoClients.builder(location)
                        .overrideConfiguration(settings -> settings.retryStrategy(AwsRetryStrategy.doNotRetry())
                                .addExecutionInterceptor(new ExecutionInterceptor() {
                                    @Override
                                    public void beforeTransmission(
                                            Context.BeforeTransmission context, ExecutionAttributes attributes) {
                                        Clock.system().sleep(distance);
                                    }
                                }))
                        .build(),
                NameserviceOptions.defaults());
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("DynamoDB Local does not stop", e);
        }
    }
}
