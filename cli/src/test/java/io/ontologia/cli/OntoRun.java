package io.ontologia.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.Json;
import io.ontologia.kernel.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One run of the console inside the test, and what came of it. */
public record OntoRun(int exitCode, String out, String err) {

    /** Runs a command line with an empty environment. */
    public static OntoRun onto(String... args) {
        return in(Map.of()).run(args);
    }

    /** Prepares runs in an environment. */
    public static Setup in(Map<String, String> environment) {
        return new Setup(environment, Clock.system());
    }

    /** Standard output, which must be one JSON document. */
    public @Nullable Object json() {
        return Json.parse(out);
    }

    /** What stands at a place of the JSON document: names of members and positions in lists, from the outside in. */
    public @Nullable Object at(Object... path) {
        Object value = json();
        for (Object step : path) {
            value = step instanceof Integer index
                    ? ((List<?>) Objects.requireNonNull(value)).get(index)
                    : ((Map<?, ?>) Objects.requireNonNull(value)).get(step);
        }
        return value;
    }

    /** The text that stands at a place of the JSON document. */
    public String textAt(Object... path) {
        return (String) Objects.requireNonNull(at(path));
    }

    /** The names of the members of an object in the JSON document, in order. */
    public List<Object> namesAt(Object... path) {
        return new ArrayList<>(((Map<?, ?>) Objects.requireNonNull(at(path))).keySet());
    }

    /** One member of each object of the list that is the JSON document. */
    public List<@Nullable Object> column(String name) {
        List<@Nullable Object> values = new ArrayList<>();
        ((List<?>) Objects.requireNonNull(json())).forEach(item -> values.add(((Map<?, ?>) item).get(name)));
        return values;
    }

    /** Asserts that the run succeeded and said nothing on standard error. */
    public OntoRun succeeded() {
        assertThat(this).returns("", OntoRun::err).returns(0, OntoRun::exitCode);
        return this;
    }

    /** The message of the error document on standard output. */
    public String jsonErrorMessage() {
        return JsonObject.of("standard output", json()).object("error").text("message");
    }

    /** Asserts that the run ended with this code and said why in one line on standard error, and nothing else. */
    public OntoRun failedWith(int code) {
        assertThat(this).returns(code, OntoRun::exitCode).returns("", OntoRun::out);
        assertThat(err).startsWith("error: ").endsWith("\n");
        assertThat(err.lines()).hasSize(1);
        return this;
    }

    /** What a run is given besides its arguments. */
    public record Setup(Map<String, String> environment, Clock clock) {

        /** The same with one more variable. */
        public Setup with(String variable, String value) {
            Map<String, String> more = new HashMap<>(environment);
            more.put(variable, value);
            return new Setup(more, clock);
        }

        /** The same on another clock. */
        public Setup with(Clock other) {
            return new Setup(environment, other);
        }

        /** Runs a command line. */
        public OntoRun run(String... args) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            ByteArrayOutputStream err = new ByteArrayOutputStream();
            Onto onto = new Onto(
                    environment,
                    new ByteArrayInputStream(new byte[0]),
                    new PrintStream(out, false, StandardCharsets.UTF_8),
                    new PrintStream(err, true, StandardCharsets.UTF_8),
                    clock);

            int exitCode = onto.run(args);

            return new OntoRun(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
        }
    }
}
