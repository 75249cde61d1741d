package io.ontologia.nameservice.internal.object;

import io.ontologia.kernel.Names;
import io.ontologia.kernel.Sha256;
import io.ontologia.nameservice.Alias;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where records are: {@code ns@v2/<name>/<branch>} and the suffix of a part. Name (with {@code vg:}) and branch are one segment
 * each, percent-encoded: slashes, so that {@code a:b/c} and {@code a/b:c} differ; dots in branches, so that the branch {@code
 * main.index} is not the index of {@code main}; capital letters, because file systems exist that do not tell them from small
 * ones. A segment that gets too long ends in {@code %~} and a hash instead.
 *
 * <p>Foreign writers use the {@linkplain #literal literal} paths of the specification; such records stay where they are.
 */
final class RecordKeys {
    static final String ROOT = "ns@v2/";
    private static final int LONGEST = 180;
    private static final int KEPT = 100;
    private static final String HASHED = "%~";

    private RecordKeys() {}

    /** The key of an alias without the suffix of a part. */
    static String base(Alias alias) {
        return ROOT + segment(alias.qualifiedName()) + "/" + segment(alias.branch());
    }

    /**
     * The key of an alias as the specification writes it, without the suffix of a part: name and branch as they are. Empty where that
     * is the same, or no key.
     */
    static Optional<String> literal(Alias alias) {
        String path = alias.qualifiedName() + "/" + alias.branch();
        boolean plain =
                !path.startsWith("/") && !path.endsWith("/") && !path.contains("//") && path.length() <= LONGEST;
        boolean walks = Stream.of(path.split("/", -1)).anyMatch(part -> part.startsWith("."));
        return plain && !walks && !path.contains("\\") && !(ROOT + path).equals(base(alias))
                ? Optional.of(ROOT + path)
                : Optional.empty();
    }

    /** What the keys of all aliases start with whose text starts so; there may be others among them. */
    static String prefix(String aliasPrefix) {
        int branchAt = aliasPrefix.indexOf(':', aliasPrefix.startsWith("vg:") ? 3 : 0);
        String name = branchAt < 0 ? aliasPrefix : aliasPrefix.substring(0, branchAt);
        if (name.isEmpty()) {
            return ROOT;
        }
        if (!encoded(name.replaceAll("[\\ud800-\\udfff]", "")).equals(name)) {
            // At the paths of the specification such names are written in another way.
            return ROOT;
        }
        if (Character.isHighSurrogate(name.charAt(name.length() - 1))) {
            name = name.substring(0, name.length() - 1);
        }
        String encoded = name.isEmpty() ? "" : encoded(name);
        if (encoded.length() > KEPT) {
            return ROOT + encoded.substring(0, KEPT);
        }
        return ROOT + encoded + (branchAt < 0 ? "" : "/");
    }

    /** The base of a key, without the suffix of a part; up to the first dot after the last slash when it has none. */
    static String baseOf(String key) {
        for (String suffix : Part.suffixes()) {
            if (key.endsWith(suffix) && key.charAt(key.length() - suffix.length() - 1) != '/') {
                return key.substring(0, key.length() - suffix.length());
            }
        }
        int dot = key.indexOf('.', key.lastIndexOf('/') + 1);
        return dot < 0 ? key : key.substring(0, dot);
    }

    /** A text that sorts after all keys of a base and before those of the next one. */
    static String after(String base) {
        return base + ".~";
    }

    private static String segment(String name) {
        String encoded = encoded(name);
        return encoded.length() <= LONGEST ? encoded : encoded.substring(0, KEPT) + HASHED + Sha256.hex(name);
    }

    private static String encoded(String name) {
        String standard = Names.encodeSegment(name);
        StringBuilder out = new StringBuilder(standard.length() + 16);
        for (int i = 0; i < standard.length(); i++) {
            char c = standard.charAt(i);
            if (c == '%') {
                out.append(standard, i, i + 3);
                i += 2;
            } else if (c == '.' || (c >= 'A' && c <= 'Z')) {
                out.append('%').append(Integer.toHexString(c).toUpperCase(Locale.ROOT));
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }
}
