package io.ontologia.objectstore;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/** Loses the replies of conditional writes, as the test says. Used by one thread. */
final class LossyStore extends DelegatingStore {
    /** What happens to one conditional write. */
    enum Fate {
        /** It lands and its reply arrives. */
        ANSWERED,
        /** It lands and its reply is lost. */
        REPLY_LOST,
        /** It never lands, and nobody is told. */
        REQUEST_LOST,
        /** It lands later, when {@link LossyStore#deliver()} is called, and nobody is told. */
        DELAYED
    }

    private final Supplier<Fate> fates;
    private final Deque<Write> delayed = new ArrayDeque<>();

    LossyStore(ObjectStore store, Supplier<Fate> fates) {
        super(store);
        this.fates = fates;
    }

    /** Lets the oldest delayed write land, if there is one and its condition still holds. */
    void deliver() {
        Write oldest = delayed.poll();
        if (oldest != null) {
            oldest.land();
        }
    }

    @Override
    public PutOutcome putIfAbsent(String key, Payload payload) {
        return send(() -> super.putIfAbsent(key, payload));
    }

    @Override
    public PutOutcome putIfMatch(String key, Payload payload, ETag expected) {
        return send(() -> super.putIfMatch(key, payload, expected));
    }

    private interface Write {
        PutOutcome land();
    }

    private PutOutcome send(Write write) {
        switch (fates.get()) {
            case ANSWERED -> {
                return write.land();
            }
            case REPLY_LOST -> write.land();
            case DELAYED -> delayed.add(write);
            case REQUEST_LOST -> {}
        }
        return new PutOutcome.Unknown(new OntologiaException(
                ErrorKind.UNKNOWN_OUTCOME, "a write got no reply", "the connection broke", "read what is there now"));
    }
}
