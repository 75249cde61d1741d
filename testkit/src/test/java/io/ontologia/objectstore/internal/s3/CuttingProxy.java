package io.ontologia.objectstore.internal.s3;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Passes bytes between a client and a server, and cuts the connection when told to. For clients that send one request at
 * a time: then the first bytes that come from one side after something came from the other begin a message.
 */
final class CuttingProxy implements AutoCloseable {
    private static final int ALL = Integer.MAX_VALUE;

    private final URI server;
    private final ServerSocket listener;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicInteger requestsToLose = new AtomicInteger();
    private final AtomicInteger repliesToLose = new AtomicInteger();
    private final AtomicInteger repliesToTear = new AtomicInteger();
    private volatile Runnable afterLostReply = () -> {};

    CuttingProxy(URI server) throws IOException {
        this.server = server;
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort());
    }

    /** The next requests do not reach the server. */
    void loseRequests(int count) {
        requestsToLose.set(count);
    }

    /** The server carries out the next requests, but its replies do not reach the client. */
    void loseReplies(int count) {
        repliesToLose.set(count);
    }

    /** As above, for all replies from now on. */
    void loseAllReplies() {
        loseReplies(ALL);
    }

    /** Does something when the server has replied, before the client learns that the reply is lost. */
    void afterLostReply(Runnable work) {
        afterLostReply = work;
    }

    /** Only the beginning of the next replies reaches the client; they must be too long for one packet. */
    void tearReplies(int count) {
        repliesToTear.set(count);
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                Socket upstream = new Socket(server.getHost(), server.getPort());
                sockets.add(client);
                sockets.add(upstream);
                threads.execute(() -> pass(client, upstream, this::forwardRequest));
                threads.execute(() -> pass(upstream, client, this::forwardReply));
            }
        } catch (IOException e) {
            // The listener was closed.
        }
    }

    private interface Forward {
        /** Returns whether the connection lives on. */
        boolean forward(byte[] bytes, int length, OutputStream to) throws IOException;
    }

    private void pass(Socket from, Socket to, Forward forward) {
        byte[] bytes = new byte[16 * 1024];
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            int n = in.read(bytes);
            while (n >= 0 && forward.forward(bytes, n, out)) {
                n = in.read(bytes);
            }
        } catch (IOException e) {
            // One side closed the connection; so is the other now.
        }
    }

    private boolean forwardRequest(byte[] bytes, int length, OutputStream to) throws IOException {
        if (takeOne(requestsToLose)) {
            return false;
        }
        to.write(bytes, 0, length);
        return true;
    }

    private boolean forwardReply(byte[] bytes, int length, OutputStream to) throws IOException {
        if (takeOne(repliesToLose)) {
            afterLostReply.run();
            return false;
        }
        to.write(bytes, 0, length);
        return !takeOne(repliesToTear);
    }

    private static boolean takeOne(AtomicInteger left) {
        return left.getAndUpdate(n -> n == 0 || n == ALL ? n : n - 1) > 0;
    }

    @Override
    public void close() {
        try {
            listener.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.shutdownNow();
    }
}
