package io.ontologia.cli.internal.transfer;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** Recognizes files of other formats by their first line. */
final class InputHint {
    private InputHint() {}

    /**
     * How to make lines of JSON out of a file that holds something else.
     *
     * @param firstLine the first line of the file that is not blank
     * @return empty when the line may be one of JSON
     */
    static Optional<String> of(Path file, byte[] firstLine) {
        String line = new String(firstLine, StandardCharsets.UTF_8)
                .replace("\uFEFF", "")
                .strip();
        if (line.startsWith("[")) {
            return Optional.of(
                    file + " looks like a JSON array, and an import reads one object a line: convert it, for "
                            + "example with jq -c '.[]'");
        }
        if (line.equals("{")) {
            return Optional.of(
                    file + " looks like JSON over several lines, and an import reads one object a line: convert "
                            + "it, for example with jq -c .");
        }
        if (!line.startsWith("{") && (line.contains(",") || line.contains(";") || line.contains("\t"))) {
            return Optional.of(
                    file + " looks like CSV, and an import reads one JSON object a line: convert it, with key "
                            + "and fields as 'onto export' writes them");
        }
        return Optional.empty();
    }
}
