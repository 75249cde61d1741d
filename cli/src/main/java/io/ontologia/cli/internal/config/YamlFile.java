package io.ontologia.cli.internal.config;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/**
 * One YAML (or JSON, which is YAML) document whose every part knows its line, so that a mistake in it can be shown.
 * Everything wrong with it is an {@link ErrorKind#INVALID_INPUT} that names file, line and reason.
 */
public final class YamlFile {
    private static final int DEEPEST = 200;
    private static final int MOST_CHARACTERS = 3 << 20;

    private final String purpose;
    private final Path path;
    private final Optional<Node> root;

    private YamlFile(String purpose, Path path, Optional<Node> root) {
        this.purpose = purpose;
        this.path = path;
        this.root = root;
    }

    /**
     * Reads a file.
     *
     * @param purpose what the file is, for errors: {@code configuration}
     */
    public static YamlFile read(String purpose, Path path) {
        String text;
        try {
            text = readText(path);
        } catch (CharacterCodingException e) {
            throw unreadable(purpose, path, "it is not UTF-8 text", e);
        } catch (NoSuchFileException e) {
            throw unreadable(purpose, path, "there is no such file", e);
        } catch (IOException e) {
            throw unreadable(
                    purpose, path, Files.isDirectory(path) ? "it is a folder" : "it cannot be opened for reading", e);
        }
        if (text.length() > MOST_CHARACTERS) {
            throw unreadable(
                    purpose, path, "it has more than " + MOST_CHARACTERS + " characters", new IOException("too large"));
        }
        try {
            LoadSettings settings = LoadSettings.builder()
                    .setLabel(path.toString())
                    .setSchema(new CoreSchema())
                    .build();
            requireShallow(purpose, path, new Parse(settings).parseString(text));
            return new YamlFile(purpose, path, new Compose(settings).composeString(text));
        } catch (MarkedYamlEngineException e) {
            throw invalid(purpose, path, e.getProblemMark(), e.getProblem(), "correct the YAML there", e);
        } catch (YamlEngineException e) {
            throw invalid(
                    purpose,
                    path,
                    Optional.empty(),
                    "it is not one YAML document: " + e.getMessage(),
                    "correct the YAML",
                    e);
        }
    }

    /** No more than is needed to see that a file is too large: it may have no end. */
    private static String readText(Path path) throws IOException {
        try (InputStream in = Files.newInputStream(path)) {
            byte[] bytes = in.readNBytes(4 * MOST_CHARACTERS + 1);
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        }
    }

    /** What composes a document calls itself for every level, so that a deep one would overflow the stack. */
    private static void requireShallow(String purpose, Path path, Iterable<Event> events) {
        int depth = 0;
        for (Event event : events) {
            if (event instanceof CollectionStartEvent && ++depth > DEEPEST) {
                throw invalid(
                        purpose,
                        path,
                        event.getStartMark(),
                        "it nests deeper than " + DEEPEST + " levels",
                        "write it with fewer levels",
                        null);
            }
            if (event instanceof CollectionEndEvent) {
                depth--;
            }
        }
    }

    /** The document; empty when there is nothing but comments. */
    public Optional<Node> root() {
        return root;
    }

    /** The entries of a mapping in document order, by key. A key that is no text, or given twice, is an error. */
    public Map<String, Entry> entries(Node node) {
        return entries(node, problem -> {
            throw error(problem);
        });
    }

    /** As {@link #entries(Node)}, for who wants to know every problem: what is wrong is told and left out. */
    public Map<String, Entry> entries(Node node, Consumer<Problem> refuse) {
        if (!(node instanceof MappingNode mapping)) {
            refuse.accept(
                    Problem.at(node, "a mapping of names to values belongs here", "write it as 'name: value' lines"));
            return Map.of();
        }
        Map<String, Entry> entries = new LinkedHashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            Node key = tuple.getKeyNode();
            if (!(key instanceof ScalarNode scalar)) {
                refuse.accept(Problem.at(key, "a name must be a plain text", "write it as 'name: value'"));
            } else if (entries.putIfAbsent(scalar.getValue(), new Entry(key, tuple.getValueNode())) != null) {
                refuse.accept(Problem.at(key, "'" + scalar.getValue() + "' is given twice", "remove one of them"));
            }
        }
        return entries;
    }

    /** The text of a scalar as it is written; empty for null. */
    public Optional<String> scalar(Node node) {
        if (!(node instanceof ScalarNode scalar)) {
            throw error(node, "one value belongs here, not a list or a mapping", "write it as 'name: value'");
        }
        return scalar.getTag().equals(Tag.NULL) ? Optional.empty() : Optional.of(scalar.getValue());
    }

    /** What is wrong at a place of this document, to be thrown. */
    public OntologiaException error(Node node, String cause, String remedy) {
        return error(Problem.at(node, cause, remedy));
    }

    /** The same of a problem. */
    public OntologiaException error(Problem problem) {
        return invalid(purpose, path, problem.mark(), problem.cause(), problem.remedy(), null);
    }

    /** The file. */
    public Path path() {
        return path;
    }

    /** Something wrong at a place of the document. */
    public record Problem(Optional<Mark> mark, String cause, String remedy) {
        /** A problem where a node begins. */
        public static Problem at(Node node, String cause, String remedy) {
            return new Problem(node.getStartMark(), cause, remedy);
        }

        /** The line, counted from 1; 0 when nobody knows. */
        public int line() {
            return mark.map(m -> m.getLine() + 1).orElse(0);
        }
    }

    /**
     * One entry of a mapping.
     *
     * @param key where the name stands
     * @param value what stands there
     */
    public record Entry(Node key, Node value) {}

    private static OntologiaException invalid(
            String purpose, Path path, Optional<Mark> mark, String cause, String remedy, @Nullable Exception e) {
        String place = path + mark.map(m -> " line " + (m.getLine() + 1)).orElse("");
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("file", path.toString());
        mark.ifPresent(m -> details.put("line", m.getLine() + 1));
        return new OntologiaException(
                ErrorKind.INVALID_INPUT, "invalid " + purpose + ", " + place, cause, remedy, details, e);
    }

    private static OntologiaException unreadable(String purpose, Path path, String cause, Exception e) {
        return new OntologiaException(
                ErrorKind.INVALID_INPUT,
                "cannot read the " + purpose + " file " + path,
                cause,
                "name a readable YAML file",
                Map.of("file", path.toString()),
                e);
    }
}
