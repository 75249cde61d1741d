package io.ontologia.cli.internal.query;

import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.UsageError;
import io.ontologia.cli.internal.access.Moment;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.cli.internal.output.Tone;
import io.ontologia.core.Query;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say which versions of rows are meant. */
final class WindowOptions {
    @Option(
            names = "--as-of",
            paramLabel = "N|TIME",
            description =
                    "As it was after this commit or at this time: 12, 2026-02-10T12:34:56Z, '2026-02-10 12:34', "
                            + "2026-02-10 (its first moment), yesterday, '2 hours ago'. What names no zone is read in that of TZ.")
    @Nullable String asOf;

    @Option(names = "--with-history", description = "Every version there ever was, oldest first.")
    boolean withHistory;

    @Option(
            names = "--history-since",
            paramLabel = "N|TIME",
            description = "Every version written after this commit, or at this time or later, oldest first.")
    @Nullable String historySince;

    @Option(
            names = "--omit-unreadable",
            description =
                    "Leave out rows that cannot be shown in the present schema, instead of failing. With --json the answer is "
                            + "{rows, omitted}.")
    boolean omitUnreadable;

    private @Nullable Moment parsed;
    private @Nullable Long commit;

    boolean isHistory() {
        return withHistory || historySince != null;
    }

    /** The moment that is asked about, when it is not the present; read once. */
    Optional<Moment> moment(Invocation invocation) {
        if (asOf != null && isHistory()) {
            throw new UsageError("--as-of asks for one state and a history for all of them", "leave one of them out");
        }
        if (parsed == null) {
            parsed = asOf != null
                    ? Moment.parse("--as-of", asOf, invocation)
                    : historySince != null ? Moment.parse("--history-since", historySince, invocation) : null;
        }
        return asOf == null ? Optional.empty() : Optional.ofNullable(parsed);
    }

    /** The commit of the moment that is asked about; looked up once. */
    OptionalLong commit(Session session, Invocation invocation) {
        Optional<Moment> moment = moment(invocation);
        if (moment.isPresent() && commit == null) {
            commit = moment.get().commitIn(session, invocation.output());
        }
        return commit == null ? OptionalLong.empty() : OptionalLong.of(commit);
    }

    Query<Row> apply(Session session, Query<Row> all, Invocation invocation) {
        Query<Row> query = omitUnreadable ? all.omitUnreadable() : all;
        OptionalLong asked = commit(session, invocation);
        if (asked.isPresent()) {
            return query.asOf(asked.getAsLong());
        }
        if (parsed != null) {
            return query.historySince(parsed.commitBefore(session));
        }
        return withHistory ? query.withHistory() : query;
    }

    /** How many rows an answer lacks, where it may lack some; empty where it may not. */
    Optional<LongSupplier> omitted(LongSupplier count) {
        return omitUnreadable ? Optional.of(count) : Optional.empty();
    }

    /** Warns of rows in the window that the answer does not show, in both formats. */
    static void warnOfOmitted(Query<Row> query, Output output) {
        long omitted = query.omitted();
        if (omitted > 0) {
            output.diagnostic(
                    "warning:",
                    Tone.WEAK,
                    omitted + (omitted == 1 ? " version was" : " versions were")
                            + " left out, because the present schema cannot show "
                            + (omitted == 1 ? "it" : "them"));
        }
    }
}
