package io.ontologia.bench;

import io.ontologia.core.Entity;
import io.ontologia.core.Indexed;
import io.ontologia.core.Key;

/** The entity that everything is measured with: eight fields, about 180 bytes of JSON. */
record Customer(
        @Key String id,
        String name,
        String tier,
        double balance,
        @Indexed long visits,
        boolean active,
        String city,
        String note)
        implements Entity {
    private static final String[] TIERS = {"Bronze", "Silver", "Gold", "Platinum"};

    /** The same customer for the same numbers. Visits are unique in about one of a thousand. */
    static Customer of(int number, int version) {
        return new Customer(
                key(number),
                "Customer number " + number,
                TIERS[(number + version) & 3],
                (number * 7919L + version * 104_729L) % 100_000 + 0.25,
                (number * 31L + version) % 1_000,
                (number & 1) == 0,
                "City " + number % 500,
                "version " + version + " of a record that is about as long as such records are");
    }

    static String key(int number) {
        return "customer-%08d".formatted(number);
    }
}
