package io.ontologia.core.internal;

import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.CodePointOrder;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Comparator;

/** The order of JSON values that queries sort by: booleans, numbers, texts, then everything else by its JSON text. */
public final class JsonOrder implements Comparator<Object> {
    /** The only one there is. */
    public static final JsonOrder INSTANCE = new JsonOrder();

    private JsonOrder() {}

    @Override
    public int compare(Object left, Object right) {
        int leftRank = rank(left);
        int byRank = Integer.compare(leftRank, rank(right));
        if (byRank != 0) {
            return byRank;
        }
        return switch (leftRank) {
            case 0 -> ((Boolean) left).compareTo((Boolean) right);
            case 1 -> exact((Number) left).compareTo(exact((Number) right));
            case 2 -> CodePointOrder.INSTANCE.compare((String) left, (String) right);
            default -> CodePointOrder.INSTANCE.compare(CanonicalJson.write(left), CanonicalJson.write(right));
        };
    }

    private static int rank(Object value) {
        return value instanceof Boolean ? 0 : value instanceof Number ? 1 : value instanceof String ? 2 : 3;
    }

    /** The number itself, whatever class it comes in. */
    public static BigDecimal exact(Number number) {
        if (number instanceof BigInteger big) {
            return new BigDecimal(big);
        }
        return number instanceof Double real ? new BigDecimal(real) : BigDecimal.valueOf(number.longValue());
    }
}
