package io.ontologia.cli.internal.events;

import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.access.OntologyAccess;
import io.ontologia.core.EventOptions;
import io.ontologia.core.Maintenance;
import io.ontologia.core.spi.EventStore;
import java.util.function.Function;

/** Opens the event bus of the store that an invocation names. */
final class BusAccess {
    private final Invocation invocation;

    BusAccess(Invocation invocation) {
        this.invocation = invocation;
    }

    EventOptions options() {
        return invocation.settings().events();
    }

    /** Asks it something, without touching it. */
    <T> T read(Function<EventStore, T> question) {
        try (Maintenance maintenance = new OntologyAccess(invocation).inspect()) {
            return question.apply(maintenance.storage().events(options()));
        }
    }

    /** Changes it. A store that is not there is not created. */
    <T> T write(Function<EventStore, T> work) {
        try (Maintenance maintenance = new OntologyAccess(invocation).maintain()) {
            return work.apply(maintenance.storage().events(options()));
        }
    }
}
