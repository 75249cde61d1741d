package io.ontologia.cli.internal.output;

/** A table cell with a tone; where there is no colour it is its text. */
public record Styled(String text, Tone tone) {
    @Override
    public String toString() {
        return text;
    }
}
