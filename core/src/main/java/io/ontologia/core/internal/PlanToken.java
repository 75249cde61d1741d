package io.ontologia.core.internal;

import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** What ties a plan that was shown to the one that is carried out: hash of the plan, and newest commit. */
public final class PlanToken {
    private PlanToken() {}

    /**
     * The token of a plan, in the form of the reference implementation.
     *
     * @param plan a JSON tree that holds everything the plan depends on
     * @param head the newest commit, 0 when there is none
     */
    public static String of(@Nullable Object plan, long head) {
        String content = Sha256.hex(CanonicalJson.writeAscii(plan)) + ":" + (head == 0 ? "none" : head);
        return Base64.getUrlEncoder().encodeToString(content.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Refuses a token that is not the present plan's.
     *
     * @throws OntologiaException of kind {@link ErrorKind#CONFLICT}
     */
    public static void require(String what, String given, String present) {
        if (given.equals(present)) {
            return;
        }
        throw new OntologiaException(
                ErrorKind.CONFLICT,
                "cannot " + what,
                "the token does not fit the present state: " + difference(given, present),
                "preview it again, look at the new plan, and use its token; nothing was changed");
    }

    private static String difference(String given, String present) {
        String[] was = parts(given);
        String[] is = parts(present);
        if (was.length != 2) {
            return "it is no token of a plan";
        }
        if (!was[0].equals(is[0])) {
            return "the plan is another one now";
        }
        return "the newest commit was " + was[1] + " and is " + is[1];
    }

    private static String[] parts(String token) {
        try {
            return new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8).split(":", -1);
        } catch (IllegalArgumentException e) {
            return new String[0];
        }
    }
}
