package io.ontologia.testkit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Every text, number, list and name of a field in a JSON document, as places where something else can be put. */
public final class JsonPlaces {
    private JsonPlaces() {}

    /** Stores a document. */
    @FunctionalInterface
    public interface Writer {
        /** Stores it in the place of the one that the places were taken from. */
        void write(@Nullable Object tree) throws Exception;
    }

    /** The places of a document. */
    public static List<HostileStore.Place> of(String name, @Nullable Object tree, Writer writer) {
        List<HostileStore.Place> places = new ArrayList<>();
        collect(name, tree, writer, places);
        return places;
    }

    private static void collect(String name, @Nullable Object tree, Writer writer, List<HostileStore.Place> places) {
        if (tree instanceof String || tree instanceof Number || tree instanceof List<?>) {
            places.add(new JsonPlace(name, tree, writer));
        }
        if (tree instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                int at = i;
                collect(
                        name + "[" + i + "]",
                        list.get(i),
                        value -> {
                            List<@Nullable Object> changed = new ArrayList<>(list);
                            changed.set(at, value);
                            writer.write(changed);
                        },
                        places);
            }
        }
        if (tree instanceof Map<?, ?> map) {
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                String key = String.valueOf(entry.getKey());
                collect(name + "." + key, entry.getValue(), value -> writer.write(with(map, key, key, value)), places);
                places.add(new JsonPlace(
                        "name of " + name + "." + key,
                        key,
                        value -> writer.write(with(map, key, String.valueOf(value), entry.getValue()))));
            }
        }
    }

    private static Map<String, @Nullable Object> with(Map<?, ?> map, String old, String name, @Nullable Object value) {
        Map<String, @Nullable Object> changed = new LinkedHashMap<>();
        map.forEach((key, present) -> {
            if (old.equals(key)) {
                changed.put(name, value);
            } else {
                changed.put(String.valueOf(key), present);
            }
        });
        return changed;
    }

    private record JsonPlace(String name, Object content, Writer writer) implements HostileStore.Place {
        @Override
        public void plant(@Nullable Object value) throws Exception {
            writer.write(value);
        }
    }
}
