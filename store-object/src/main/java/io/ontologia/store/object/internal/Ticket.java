package io.ontologia.store.object.internal;

import io.ontologia.core.CommitResult;
import io.ontologia.core.spi.CommitRequest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A commit that waits for its turn, and what became of it. */
final class Ticket {
    private final CommitRequest request;
    private final CompletableFuture<CommitResult> result = new CompletableFuture<>();

    Ticket(CommitRequest request) {
        this.request = request;
    }

    CommitRequest request() {
        return request;
    }

    boolean isDone() {
        return result.isDone();
    }

    void succeed(CommitResult outcome) {
        result.complete(outcome);
    }

    void fail(RuntimeException failure) {
        result.completeExceptionally(failure);
    }

    /** What became of it; to be asked when it is done. */
    CommitResult result() {
        try {
            return result.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : e;
        }
    }
}
