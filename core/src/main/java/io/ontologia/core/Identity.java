package io.ontologia.core;

import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;

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

    private static void requireText(String what, String text) {
        if (text.isBlank()) {
            throw invalid(what, "it is blank");
        }
        if (text.indexOf('\0') >= 0) {
            throw invalid(what, "it holds a NUL character");
        }
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i)) && Character.charCount(text.codePointAt(i++)) == 1) {
                throw invalid(what, "it holds half of a surrogate pair");
            }
        }
    }

    private static OntologiaException invalid(String what, String cause) {
        return new OntologiaException(ErrorKind.INVALID_INPUT, "invalid " + what, cause, "give it a text");
    }
}
