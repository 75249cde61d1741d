package io.ontologia.server.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.kernel.JsonObject;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.Nameservices;
import io.ontologia.nameservice.Subscriptions;
import io.ontologia.server.ServerOptions;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The document and the code say the same. */
class OpenApiTest {
    @Test
    void every_route_is_in_the_document_with_its_scope_and_nothing_else_is() throws IOException {
        List<String> documented = new ArrayList<>();
        JsonObject paths = document().object("paths");
        for (String path : paths.fields().keySet()) {
            JsonObject operations = paths.object(path);
            for (String method : operations.fields().keySet()) {
                documented.add(method.toUpperCase(Locale.ROOT) + " " + path + " "
                        + scope(operations.object(method).fields().get("security")));
            }
        }

        List<String> routed = new ArrayList<>();
        try (Nameservice names = Nameservices.open("memory:")) {
            Subscriptions subscriptions = new Subscriptions(names);
            Routes.of(names, new Watches(subscriptions, ServerOptions.defaults()))
                    .all()
                    .forEach(route -> routed.add(route.method() + " " + route.template() + " " + route.access()));
        }

        assertThat(documented).containsExactlyInAnyOrderElementsOf(routed);
    }

    @Test
    void every_reference_in_the_document_leads_somewhere() throws IOException {
        JsonObject document = document();
        List<String> references = new ArrayList<>();
        collect(document.fields(), references);

        assertThat(references).isNotEmpty().allSatisfy(reference -> {
            JsonObject at = document;
            for (String part : reference.substring(2).split("/", -1)) {
                at = at.object(part);
            }
            assertThat(at.fields()).isNotEmpty();
        });
    }

    private static String scope(@Nullable Object security) {
        List<?> alternatives = (List<?>) Objects.requireNonNull(security);
        if (alternatives.isEmpty()) {
            return "NOTHING";
        }
        List<?> scopes = (List<?>) Objects.requireNonNull(((Map<?, ?>) alternatives.get(0)).get("token"));
        return scopes.get(0).toString().toUpperCase(Locale.ROOT);
    }

    private static void collect(@Nullable Object tree, List<String> references) {
        if (tree instanceof Map<?, ?> map) {
            map.forEach((key, value) -> {
                if ("$ref".equals(key)) {
                    references.add(String.valueOf(value));
                }
                collect(value, references);
            });
        } else if (tree instanceof List<?> list) {
            list.forEach(item -> collect(item, references));
        }
    }

    private static JsonObject document() throws IOException {
        try (InputStream in = OpenApiTest.class.getResourceAsStream("/io/ontologia/server/openapi.json")) {
            return JsonObject.parse("openapi.json", Objects.requireNonNull(in).readAllBytes());
        }
    }
}
