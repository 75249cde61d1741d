package io.ontologia.core;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.Optional;

/** What tells one entity or relation of a type from every other one, at all times. */
public sealed interface Identity {

    /**
     * An entity's identity.
     *
     * @param key never blank
     */
    record OfEntity(String key) implements Identity {
        public OfEntity {
            requireText("key", key);
        }

        @Override
        public String toString() {
            return key;
        }
    }

    /**
     * A relation's identity.
     *
     * @param instanceKey empty for types without instance key
     */
    record OfRelation(String leftKey, String rightKey, String instanceKey) implements Identity {
        public OfRelation {
            requireText("left key", leftKey);
            requireText("right key", rightKey);
            if (!instanceKey.isEmpty()) {
                requireText("instance key", instanceKey);
            }
        }

        @Override
        public String toString() {
            return leftKey + " -> " + rightKey + (instanceKey.isEmpty() ? "" : " [" + instanceKey + "]");
        }
    }

    /** Whether a text can be the key of an entity or of an end. */
    static boolean isKey(String text) {
        return flawOf(text).isEmpty();
    }

    private static void requireText(String what, String text) {
        flawOf(text).ifPresent(flaw -> {
            throw invalid(what, flaw);
        });
    }

    private static Optional<String> flawOf(String text) {
        if (text.isBlank()) {
            return Optional.of("it is blank");
        }
        if (text.indexOf('\0') >= 0) {
            return Optional.of("it holds a NUL character");
        }
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i)) && Character.charCount(text.codePointAt(i++)) == 1) {
                return Optional.of("it holds half of a surrogate pair");
            }
        }
        return Optional.empty();
    }

    private static OntologiaException invalid(String what, String cause) {
        return new OntologiaException(ErrorKind.INVALID_INPUT, "invalid " + what, cause, "give it a text");
    }
}
