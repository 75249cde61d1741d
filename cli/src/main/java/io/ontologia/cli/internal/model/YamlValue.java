package io.ontologia.cli.internal.model;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** A value in a model file, as a JSON tree. */
record YamlValue(@Nullable Object tree) {
    private static final int MAX_DEPTH = 50;

    /** The value of a node; what JSON cannot hold is noted. */
    static Optional<YamlValue> of(Node node, ModelProblems problems) {
        return of(node, problems, 0);
    }

    private static Optional<YamlValue> of(Node node, ModelProblems problems, int depth) {
        if (depth > MAX_DEPTH) {
            problems.add(node, "a value nests too deep", "make it flatter");
            return Optional.empty();
        }
        if (node instanceof ScalarNode scalar) {
            return scalar(scalar, problems);
        }
        if (node instanceof SequenceNode sequence) {
            List<@Nullable Object> items = new ArrayList<>();
            for (Node item : sequence.getValue()) {
                Optional<YamlValue> value = of(item, problems, depth + 1);
                if (value.isEmpty()) {
                    return Optional.empty();
                }
                items.add(value.get().tree);
            }
            return Optional.of(new YamlValue(items));
        }
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        for (var entry : problems.entries(node).entrySet()) {
            Optional<YamlValue> value = of(entry.getValue().value(), problems, depth + 1);
            if (value.isEmpty()) {
                return Optional.empty();
            }
            map.put(entry.getKey(), value.get().tree);
        }
        return Optional.of(new YamlValue(map));
    }

    private static Optional<YamlValue> scalar(ScalarNode node, ModelProblems problems) {
        String text = node.getValue();
        Tag tag = node.getTag();
        if (tag.equals(Tag.NULL)) {
            return Optional.of(new YamlValue(null));
        }
        if (tag.equals(Tag.BOOL)) {
            return Optional.of(new YamlValue(Boolean.parseBoolean(text)));
        }
        if (tag.equals(Tag.INT)) {
            return Optional.of(new YamlValue(integer(text)));
        }
        if (tag.equals(Tag.FLOAT)) {
            if (text.matches("[-+.0-9eE]+")) {
                return Optional.of(new YamlValue(Double.valueOf(text)));
            }
            problems.add(node, "'" + text + "' is no number that JSON can hold", "use a finite number");
            return Optional.empty();
        }
        return Optional.of(new YamlValue(text));
    }

    private static Number integer(String text) {
        BigInteger value = text.startsWith("0x")
                ? new BigInteger(text.substring(2), 16)
                : text.startsWith("0o") ? new BigInteger(text.substring(2), 8) : new BigInteger(text);
        return value.bitLength() < Long.SIZE ? (Number) value.longValue() : value;
    }
}
