package io.ontologia.cli.internal.output;

/** What a piece of text means, shown in colour where there is colour. */
public enum Tone {
    /** As it should be. */
    GOOD("32"),
    /** Works, with less than one might expect. */
    WEAK("33"),
    /** Wrong. */
    BAD("31;1"),
    /** A heading. */
    HEADING("1");

    private final String code;

    Tone(String code) {
        this.code = code;
    }

    /** The text between the escape sequences of this tone. */
    String paint(String text) {
        return "\033[" + code + "m" + text + "\033[0m";
    }
}
