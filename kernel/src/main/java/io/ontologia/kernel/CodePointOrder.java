package io.ontologia.kernel;

import java.util.Comparator;

/**
 * Orders texts by Unicode code point, which is also the order of their UTF-8 bytes. {@link String#compareTo} differs
 * from it where a surrogate pair meets a character above U+DFFF.
 */
public enum CodePointOrder implements Comparator<String> {
    /** The one instance. */
    INSTANCE;

    @Override
    public int compare(String left, String right) {
        int length = Math.min(left.length(), right.length());
        for (int i = 0; i < length; i++) {
            char a = left.charAt(i);
            char b = right.charAt(i);
            if (a != b) {
                boolean surrogateA = Character.isSurrogate(a);
                return surrogateA == Character.isSurrogate(b) ? a - b : surrogateA ? 1 : -1;
            }
        }
        return left.length() - right.length();
    }
}
