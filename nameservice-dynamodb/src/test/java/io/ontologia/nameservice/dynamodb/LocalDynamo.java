package io.ontologia.nameservice.dynamodb;

import com.amazonaws.services.dynamodbv2.local.main.ServerRunner;
import com.amazonaws.services.dynamodbv2.local.server.DynamoDBProxyServer;
import io.ontologia.nameservice.NameserviceOptions;
import io.ontologia.nameservice.dynamodb.internal.DynamoClients;
import io.ontologia.nameservice.dynamodb.internal.TableLocation;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.EnumSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** A table of its own for every test, on one DynamoDB Local for all of them. */
public final class LocalDynamo implements BeforeEachCallback, AfterEachCallback {
    private static final AtomicInteger TABLES = new AtomicInteger();

    private String uri = "";

    @Override
    public void beforeEach(ExtensionContext context) {
        Server server = context.getRoot()
                .getStore(ExtensionContext.Namespace.create(LocalDynamo.class))
                .getOrComputeIfAbsent(Server.class, type -> new Server(), Server.class);
        uri = "dynamodb://names-" + TABLES.incrementAndGet() + "?endpoint=http://127.0.0.1:" + server.port;
        NameserviceTable.create(uri, EnumSet.allOf(NameserviceTable.Index.class), NameserviceOptions.defaults());
    }

    @Override
    public void afterEach(ExtensionContext context) {
        try (DynamoDbClient client = client()) {
            client.deleteTable(table -> table.tableName(location().table()));
        }
    }

    /** The URI of the test's table. */
    public String uri() {
        return uri;
    }

    /** Where the test's table is. */
    public TableLocation location() {
        return TableLocation.parse(uri);
    }

    /** A client to look behind the nameservice's back with; the caller closes it. */
    public DynamoDbClient client() {
        return DynamoClients.open(location());
    }

    private static final class Server implements AutoCloseable {
        private final DynamoDBProxyServer server;
        private final int port;

        Server() {
            try {
                port = freePort();
                server = ServerRunner.createServerFromCommandLineArgs(
                        new String[] {"-inMemory", "-port", String.valueOf(port), "-sharedDb", "-disableTelemetry"});
                server.start();
            } catch (Exception e) {
                throw new AssertionError("DynamoDB Local does not start", e);
            }
        }

        private static int freePort() throws IOException {
            try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            }
        }

        @Override
        public void close() {
            try {
                server.stop();
            } catch (Exception e) {
                throw new AssertionError("DynamoDB Local does not stop", e);
            }
        }
    }
}
