package io.ontologia.server.internal;

import io.ontologia.kernel.CanonicalJson;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.EntityType;
import io.ontologia.nameservice.NameEvent;
import io.ontologia.nameservice.Redaction;
import io.ontologia.nameservice.spi.WireJson;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Events of subscriptions as server-sent events, redacted as for readers. */
final class EventJson {
    private EventJson() {}

    /** The text of an event, with its id. */
    static String write(String id, NameEvent event) {
        return "id: " + id + "\nevent: " + name(event) + "\ndata: " + CanonicalJson.write(data(event)) + "\n\n";
    }

    private static String name(NameEvent event) {
        if (event instanceof NameEvent.Snapshot) {
            return "snapshot";
        }
        if (event instanceof NameEvent.Live) {
            return "live";
        }
        if (event instanceof NameEvent.Created) {
            return "created";
        }
        if (event instanceof NameEvent.Moved) {
            return "moved";
        }
        return event instanceof NameEvent.Purged ? "purged" : "resync";
    }

    private static Map<String, @Nullable Object> data(NameEvent event) {
        if (event instanceof NameEvent.Snapshot snapshot) {
            return WireJson.record(Redaction.forReaders(snapshot.record()));
        }
        if (event instanceof NameEvent.Created created) {
            return WireJson.record(Redaction.forReaders(created.record()));
        }
        if (event instanceof NameEvent.Moved moved) {
            Map<String, @Nullable Object> tree = named(moved.alias(), moved.type());
            tree.put("concern", moved.concern().wireName());
            tree.put("value", WireJson.value(Redaction.forReaders(moved.concern(), moved.value())));
            return tree;
        }
        if (event instanceof NameEvent.Purged purged) {
            return named(purged.alias(), purged.type());
        }
        return Map.of();
    }

    private static Map<String, @Nullable Object> named(Alias alias, EntityType type) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("alias", alias.toString());
        tree.put("type", type.value());
        return tree;
    }
}
