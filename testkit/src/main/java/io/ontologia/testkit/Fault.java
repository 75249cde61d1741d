package io.ontologia.testkit;

import java.time.Duration;

/** What can go wrong with one request between a client and the server. */
public sealed interface Fault {

    /** The request does not reach the server, and the client knows it. */
    record FailBefore() implements Fault {}

    /** The server says that another write was under way and does nothing (HTTP 409). */
    record Conflict() implements Fault {}

    /** The request gets lost; the client does not know whether it arrived. */
    record LoseRequest() implements Fault {}

    /** The server does what was asked, and its reply gets lost. */
    record LoseReply() implements Fault {}

    /**
     * The client gives up waiting for a reply, and the request arrives only after that.
     *
     * @param requests how many further requests of this client arrive before it; at least 1
     */
    record LandLate(int requests) implements Fault {
        public LandLate {
            if (requests < 1) {
                throw new IllegalArgumentException("a late request comes after at least one other");
            }
        }
    }

    /** The request takes this long to arrive. */
    record Delay(Duration duration) implements Fault {}

    /** The client dies before it sends the request: this call and every later one throws {@link StoreCrashed}. */
    record Crash() implements Fault {}

    /** A listing shows what was there when this client last listed, or when it was opened. No effect elsewhere. */
    record StaleList() implements Fault {}
}
