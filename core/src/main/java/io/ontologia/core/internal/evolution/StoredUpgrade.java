package io.ontologia.core.internal.evolution;

import io.ontologia.core.SchemaStep;
import io.ontologia.core.SchemaVersion;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.Json;
import io.ontologia.kernel.OntologiaException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The document that is stored with a schema version about the rows of the version before: {@code {"steps":[…]}}, or {@code
 * {"code":true}} where the upgrader of a program rewrote them.
 */
public final class StoredUpgrade {
    /** An upgrader of a program rewrote the rows; only that program can say how. */
    public static final String CODE = "{\"code\":true}";

    private StoredUpgrade() {}

    /** The document of steps. */
    public static String of(List<SchemaStep> steps) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("steps", steps.stream().map(SchemaStep::toJson).toList());
        return CanonicalJson.write(document);
    }

    /** The recorded steps to a version; empty where none are recorded, or not in a form that is known here. */
    public static Optional<List<SchemaStep>> steps(SchemaVersion version) {
        if (version.upgrade().isEmpty()) {
            return Optional.empty();
        }
        try {
            return Json.parse(version.upgrade().get()) instanceof Map<?, ?> document
                            && document.get("steps") instanceof List<?> steps
                    ? Optional.of(parse(steps))
                    : Optional.empty();
        } catch (OntologiaException e) {
            return Optional.empty();
        }
    }

    @SuppressWarnings("unchecked") // the keys of a parsed object are texts
    private static List<SchemaStep> parse(List<?> documents) {
        List<SchemaStep> steps = new ArrayList<>();
        for (Object document : documents) {
            steps.add(SchemaStep.parse(
                    document instanceof Map<?, ?> map ? (Map<String, @Nullable Object>) map : Map.of()));
        }
        return List.copyOf(steps);
    }
}
