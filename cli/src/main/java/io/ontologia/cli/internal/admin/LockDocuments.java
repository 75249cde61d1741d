package io.ontologia.cli.internal.admin;

import io.ontologia.core.LockDamage;
import io.ontologia.core.LockHolder;
import io.ontologia.kernel.UtcTimestamp;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** The holder of the write lock, for people and programs. */
final class LockDocuments {
    private LockDocuments() {}

    static Map<String, Object> of(LockHolder holder, Instant now) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("owner_id", holder.ownerId());
        document.put("acquired_at", UtcTimestamp.format(holder.acquiredAt()));
        document.put("expires_at", UtcTimestamp.format(holder.expiresAt()));
        document.put("expired", holder.hasExpired(now));
        return document;
    }

    static Map<String, Object> of(LockDamage damage) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("damaged", true);
        document.put("object", damage.location());
        document.put("reason", damage.reason());
        return document;
    }

    static String text(LockDamage damage) {
        return "damaged: " + damage.location() + ", " + damage.reason() + "; 'onto lock show' prints the way out";
    }

    static String text(LockHolder holder, Instant now) {
        return "held by " + holder.ownerId() + (holder.hasExpired(now) ? ", expired at " : " until ")
                + UtcTimestamp.format(holder.expiresAt());
    }
}
