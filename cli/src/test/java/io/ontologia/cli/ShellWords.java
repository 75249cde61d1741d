package io.ontologia.cli;

import java.util.ArrayList;
import java.util.List;

/** Splits a command line as a shell does, as far as our documentation and help make use of it. */
public final class ShellWords {
    private ShellWords() {}

    /** The words of a line: separated by spaces, held together by quotes. */
    public static List<String> split(String line) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean begun = false;
        char quote = 0;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (quote != 0 && c == quote) {
                quote = 0;
            } else if (quote == 0 && (c == '\'' || c == '"')) {
                quote = c;
                begun = true;
            } else if (quote == 0 && c == ' ') {
                if (begun) {
                    words.add(word.toString());
                }
                word.setLength(0);
                begun = false;
            } else {
                if (quote == 0 && "()|<>&;*?[]~`!".indexOf(c) >= 0) {
                    throw new IllegalArgumentException("a shell would not take " + c + " without quotes: " + line);
                }
                word.append(c);
                begun = true;
            }
        }
        if (quote != 0) {
            throw new IllegalArgumentException("a quote has no end: " + line);
        }
        if (begun) {
            words.add(word.toString());
        }
        return words;
    }
}
