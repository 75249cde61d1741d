package io.ontologia.cli.internal.output;

import io.ontologia.kernel.CanonicalJson;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * JSON that people can read and programs can compare: keys in the order in which the command put them, two spaces of
 * indentation, and what fits on one line on one line.
 */
public final class PrettyJson {
    private static final int LINE = 100;

    private PrettyJson() {}

    /** The text of a tree, without a line end. */
    public static String write(@Nullable Object tree) {
        return write(tree, "");
    }

    static String write(@Nullable Object value, String indent) {
        String flat = flat(value);
        if (indent.length() + flat.length() <= LINE || !(value instanceof Map || value instanceof List)) {
            return flat;
        }
        String deeper = indent + "  ";
        if (value instanceof Map<?, ?> map) {
            StringJoiner fields = new StringJoiner(",\n" + deeper, "{\n" + deeper, "\n" + indent + "}");
            map.forEach((key, item) -> fields.add(CanonicalJson.write(key) + ": " + write(item, deeper)));
            return fields.toString();
        }
        StringJoiner items = new StringJoiner(",\n" + deeper, "[\n" + deeper, "\n" + indent + "]");
        ((List<?>) value).forEach(item -> items.add(write(item, deeper)));
        return items.toString();
    }

    private static String flat(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            StringJoiner fields = new StringJoiner(", ", "{", "}");
            map.forEach((key, item) -> fields.add(CanonicalJson.write(key) + ": " + flat(item)));
            return fields.toString();
        }
        if (value instanceof List<?> list) {
            StringJoiner items = new StringJoiner(", ", "[", "]");
            list.forEach(item -> items.add(flat(item)));
            return items.toString();
        }
        return CanonicalJson.write(value);
    }
}
