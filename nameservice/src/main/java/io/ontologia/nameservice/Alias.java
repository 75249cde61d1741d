package io.ontologia.nameservice;

import io.ontologia.kernel.CodePointOrder;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * The name of a record: {@code name:branch} for a ledger, {@code vg:name:branch} for a graph source. A text without a branch
 * means the branch {@code main}. Names and branches may hold any character but {@code :} and control characters, also
 * slashes and dots; they are case-sensitive and compared as they are. A ledger cannot be called {@code vg}, because
 * {@code vg:x} is the graph source {@code x}.
 *
 * @param space what kind of thing is named; ledgers and graph sources of one name do not collide
 * @param name the base name, 1 to {@value #MAX_BYTES} bytes of UTF-8
 * @param branch the branch, 1 to {@value #MAX_BYTES} bytes of UTF-8
 */
public record Alias(Space space, String name, String branch) implements Comparable<Alias> {
    /** The branch that is meant when none is given. */
    public static final String MAIN = "main";
    /** The longest name and the longest branch, in UTF-8 bytes. */
    public static final int MAX_BYTES = 1000;

    private static final String GRAPH_PREFIX = "vg:";

    /** The two spaces of names. */
    public enum Space {
        /** Ledgers. */
        LEDGER,
        /** Graph sources, whose aliases start with {@code vg:}. */
        GRAPH_SOURCE
    }

    public Alias {
        requirePart(name, "name");
        requirePart(branch, "branch");
        if (space == Space.LEDGER && name.equals("vg")) {
            throw invalid("vg:" + branch, "'vg' in front of the first colon stands for graph sources");
        }
    }

    /**
     * The alias that a text means.
     *
     * @throws OntologiaException of kind {@link ErrorKind#INVALID_INPUT} when it means none
     */
    public static Alias parse(String text) {
        boolean graph = text.startsWith(GRAPH_PREFIX);
        String rest = graph ? text.substring(GRAPH_PREFIX.length()) : text;
        int colon = rest.indexOf(':');
        return new Alias(
                graph ? Space.GRAPH_SOURCE : Space.LEDGER,
                colon < 0 ? rest : rest.substring(0, colon),
                colon < 0 ? MAIN : rest.substring(colon + 1));
    }

    /** The one text of this alias, always with its branch: the primary key of its record. */
    @Override
    public String toString() {
        return qualifiedName() + ":" + branch;
    }

    /** The name with {@code vg:} in front of it when it is a graph source's. */
    public String qualifiedName() {
        return space == Space.GRAPH_SOURCE ? GRAPH_PREFIX + name : name;
    }

    /** By the code points of their texts. */
    @Override
    public int compareTo(Alias other) {
        return CodePointOrder.INSTANCE.compare(toString(), other.toString());
    }

    private static void requirePart(String part, String what) {
        if (part.isEmpty()) {
            throw invalid(part, "its " + what + " is empty");
        }
        if (part.indexOf(':') >= 0) {
            throw invalid(part, "its " + what + " holds a colon");
        }
        if (part.chars().anyMatch(Character::isISOControl)) {
            throw invalid(part.replaceAll("\\p{Cntrl}", "?"), "its " + what + " holds a control character");
        }
        try {
            if (StandardCharsets.UTF_8
                            .newEncoder()
                            .encode(CharBuffer.wrap(part))
                            .remaining()
                    > MAX_BYTES) {
                throw invalid(part.substring(0, 40) + "…", "its " + what + " is longer than " + MAX_BYTES + " bytes");
            }
        } catch (CharacterCodingException e) {
            throw invalid("?", "its " + what + " holds half of a surrogate pair");
        }
    }

    private static OntologiaException invalid(String text, String cause) {
        return new OntologiaException(
                ErrorKind.INVALID_INPUT,
                "invalid alias '" + text + "'",
                cause,
                "write it as name, name:branch or vg:name:branch");
    }
}
