package io.ontologia.cli.internal.model.shop;

import io.ontologia.core.TypeKind;
import io.ontologia.core.Upgrades;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Upgraders that stand for a user's own. */
public final class ShopUpgrades {
    private ShopUpgrades() {}

    /** Products got a price. */
    @Upgrades(type = "Product", from = 1)
    public static Map<String, Object> product(Map<String, Object> fields) {
        Map<String, Object> upgraded = new HashMap<>(fields);
        upgraded.put("price", 9.5);
        return upgraded;
    }

    /** Seats are counted in packs of five, and a pack is never broken. */
    @Upgrades(type = "Subscription", from = 1, kind = TypeKind.RELATION)
    public static Map<String, Object> subscription(Map<String, Object> fields) {
        Map<String, Object> upgraded = new HashMap<>(fields);
        long seats = (Long) Objects.requireNonNull(fields.get("seat_count"));
        if (seats % 5 != 0) {
            throw new IllegalStateException(seats + " seats are no packs");
        }
        upgraded.put("seat_count", seats / 5);
        return upgraded;
    }
}
