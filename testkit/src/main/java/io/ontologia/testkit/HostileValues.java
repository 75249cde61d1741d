package io.ontologia.testkit;

import java.math.BigInteger;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an attacker puts into a store.
 *
 * @param outside a folder beside the folder of the store, with a file that must not be read
 */
public record HostileValues(Path outside) {
    /** What the file {@code secret.json} in the folder holds. */
    public static final String SECRET = "this text must not appear in an answer";

    private static final String NAN = "NaN";

    /** What is put in the place of a value of the same kind. */
    public List<@Nullable Object> inPlaceOf(Object content) {
        if (content instanceof String) {
            return texts();
        }
        return content instanceof Number ? numbers() : lists();
    }

    private List<@Nullable Object> texts() {
        Path evil = outside.resolve("evil.csv");
        Path secret = outside.resolve("secret.json");
        return List.of(
                "'; COPY (SELECT 1) TO '" + evil + "' (FORMAT csv); SELECT '",
                "\"; ATTACH DATABASE '" + evil + "' AS evil; COPY (SELECT 1) TO '" + evil + "'; --",
                "a\nb\r\n\u0007\u202e\u0000b",
                "../" + outside.getFileName() + "/" + secret.getFileName(),
                secret.toString(),
                "",
                "x".repeat(10_000));
    }

    private static List<@Nullable Object> numbers() {
        return List.of(-1L, 0L, Long.MAX_VALUE, Double.MAX_VALUE, NAN, new BigInteger("9".repeat(400)));
    }

    private static List<@Nullable Object> lists() {
        return List.of(List.of(), Collections.nCopies(1_000_000, 1L), List.of(Map.of("a", List.of())));
    }

    /** A JSON text in which the number that is not a number stands as such, which no valid document has. */
    static String withNaN(String json) {
        return json.replace("\"" + NAN + "\"", NAN);
    }
}
