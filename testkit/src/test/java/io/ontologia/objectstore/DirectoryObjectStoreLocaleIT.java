package io.ontologia.objectstore;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process whose locale knows only ASCII sees the same keys as any other. */
class DirectoryObjectStoreLocaleIT {
    private static final String KEY = "ümläut/日本語/\uD83D\uDE00";

    @TempDir
    private Path root;

    @Test
    void keys_are_utf_8_in_every_locale() {
        String listed;
        try (ChildJvm child = new ChildJvm(Map.of("LC_ALL", "POSIX"), AsciiWriter.class, root)) {
            listed = child.receive();
        }

        assertThat(listed).isEqualTo(escaped(KEY));
        assertThat(DirectoryChange.open(root).get(KEY).orElseThrow().text()).isEqualTo("x");
    }

    private static String escaped(String text) {
        StringBuilder out = new StringBuilder();
        text.chars().forEach(c -> out.append(Integer.toHexString(c)).append(' '));
        return out.toString();
    }

    /** Writes the key and says how the listing shows it. */
    static final class AsciiWriter {
        public static void main(String[] arguments) {
            ObjectStore store = DirectoryChange.open(Path.of(arguments[0]));
            store.put(KEY, Payload.of("x"));
            System.out.println(
                    escaped(store.list(ListRequest.of("")).objects().get(0).key()));
        }
    }
}
