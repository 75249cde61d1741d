package io.ontologia.store.object;

import io.ontologia.objectstore.ListPage;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.objectstore.Payload;
import io.ontologia.testkit.FlippedByteContract;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;

/** Of every object of a store; those of one folder with one ending are a kind. */
abstract class FlippedObjectByteContract extends FlippedByteContract {
    @TempDir
    Path folder;

    private int machines;

    /** The store as objects. */
    abstract ObjectStore objects();

    /** Every opening is on a machine of its own, without anything in its cache. */
    @Override
    protected Map<String, String> settings() {
        return Map.of("cache_dir", folder.resolve("cache" + machines++).toString());
    }

    @Override
    protected Map<String, List<String>> parts() {
        Map<String, List<String>> parts = new TreeMap<>();
        ListRequest request = ListRequest.of("");
        while (true) {
            ListPage page = objects().list(request);
            page.objects().stream()
                    .filter(object -> object.size() > 0)
                    .map(ObjectSummary::key)
                    .forEach(key -> parts.computeIfAbsent(kind(key), unused -> new ArrayList<>())
                            .add(key));
            if (page.next().isEmpty()) {
                return parts;
            }
            request = request.continueAt(page.next().get());
        }
    }

    private static String kind(String key) {
        String[] segments = key.split("/", -1);
        String name = segments[segments.length - 1];
        String ending = name.substring(name.lastIndexOf('.') + 1);
        // Each object right below "meta" is of a kind of its own.
        return segments[0].equals("meta")
                ? segments[1] + " " + (segments.length > 2 ? segments[2] : "")
                : segments[0] + " " + ending;
    }

    @Override
    protected byte[] read(String part) {
        return objects().get(part).orElseThrow().bytes();
    }

    @Override
    protected void write(String part, byte[] bytes) {
        objects().put(part, Payload.of(bytes));
    }

    @Override
    protected boolean readsAreChecked() {
        return true;
    }
}
