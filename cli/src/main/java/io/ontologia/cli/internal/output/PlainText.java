package io.ontologia.cli.internal.output;

/** Texts as a terminal shows them: how wide they are, and without anything that would steer the terminal. */
public final class PlainText {
    /** First and last code point of each block that takes two columns. */
    private static final int[] WIDE = {
        0x1100, 0x115f, 0x2e80, 0x303e, 0x3041, 0x4dbf, 0x4e00, 0xa4cf, 0xa960, 0xa97f, 0xac00, 0xd7a3, 0xf900, 0xfaff,
        0xfe10, 0xfe19, 0xfe30, 0xfe6f, 0xff00, 0xff60, 0xffe0, 0xffe6, 0x1f300, 0x1f64f, 0x1f680, 0x1f6ff, 0x1f900,
        0x1f9ff, 0x1fa70, 0x1faff, 0x20000, 0x3fffd
    };

    private PlainText() {}

    /** How many columns a text takes. */
    static int width(String text) {
        return text.codePoints().map(PlainText::width).sum();
    }

    /** The text, or as much of it as fits with an ellipsis into so many columns. */
    public static String cut(String text, int columns) {
        if (width(text) <= columns) {
            return text;
        }
        StringBuilder cut = new StringBuilder();
        int used = 0;
        for (int i = 0; i < text.length(); ) {
            int codePoint = text.codePointAt(i);
            used += width(codePoint);
            if (used > columns - 1) {
                break;
            }
            cut.appendCodePoint(codePoint);
            i += Character.charCount(codePoint);
        }
        return cut.append('…').toString();
    }

    private static int width(int codePoint) {
        int type = Character.getType(codePoint);
        if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK || type == Character.FORMAT) {
            return 0;
        }
        for (int i = 0; i < WIDE.length; i += 2) {
            if (codePoint >= WIDE[i] && codePoint <= WIDE[i + 1]) {
                return 2;
            }
        }
        return 1;
    }

    /**
     * The same text on one line. Characters that steer a terminal, change the direction of the text or cannot be seen are written as
     * escapes: data must not look like something else than it is.
     */
    public static String escaped(String text) {
        return escaped(text, "");
    }

    /** As {@link #escaped}, for several lines: line ends and tabs stay. */
    public static String escapedLines(String text) {
        return escaped(text, "\n\t");
    }

    private static String escaped(String text, String kept) {
        if (text.codePoints().noneMatch(PlainText::isHidden)) {
            return text;
        }
        StringBuilder escaped = new StringBuilder(text.length() + 8);
        text.codePoints().forEach(c -> {
            if (!isHidden(c) || kept.indexOf(c) >= 0) {
                escaped.appendCodePoint(c);
                return;
            }
            switch (c) {
                case '\n' -> escaped.append("\\n");
                case '\r' -> escaped.append("\\r");
                case '\t' -> escaped.append("\\t");
                default -> {
                    for (char unit : Character.toChars(c)) {
                        escaped.append(String.format("\\u%04x", (int) unit));
                    }
                }
            }
        });
        return escaped.toString();
    }

    private static boolean isHidden(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    // Bidirectional controls, zero-width characters and tags.
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> true;
            default -> isFiller(codePoint);
        };
    }

    /** Letters and marks that have no shape. */
    private static boolean isFiller(int codePoint) {
        return codePoint == 0x034f
                || codePoint == 0x115f
                || codePoint == 0x1160
                || codePoint == 0x3164
                || codePoint == 0xffa0
                || (codePoint >= 0x180b && codePoint <= 0x180f);
    }
}
