package io.ontologia.cli.internal.objects;

import io.ontologia.cli.internal.UsageError;

/** What commands that show a plan first have in common. */
final class Plans {
    /** The last line of a plan. */
    static final String NOTHING_CHANGED = "nothing was changed; add --apply to do it";

    private Plans() {}

    /** What a run may do by its flags. */
    static UpkeepCommand.Intent intent(boolean dryRun, boolean apply) {
        if (dryRun && apply) {
            throw new UsageError("--dry-run and --apply exclude each other", "leave one of them out");
        }
        return apply ? UpkeepCommand.Intent.CHANGE : UpkeepCommand.Intent.LOOK;
    }
}
