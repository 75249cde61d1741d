package io.ontologia.cli.internal.query;

import io.ontologia.cli.internal.UsageError;
import io.ontologia.cli.internal.access.Moment;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.cli.internal.output.Tone;
import io.ontologia.core.Query;
import io.ontologia.core.Row;
import io.ontologia.core.Session;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say which versions of rows are meant. */
final class WindowOptions {
    @Option(
            names = "--as-of",
            paramLabel = "N|TIMESTAMP",
            description = "As it was after this commit or at this time: 12, 2026-02-10T12:34:56Z.")
    @Nullable String asOf;

    @Option(names = "--with-history", description = "Every version there ever was, oldest first.")
    boolean withHistory;

    @Option(
            names = "--history-since",
            paramLabel = "N",
            description = "Every version written after this commit, oldest first.")
    @Nullable Long historySince;

    boolean isHistory() {
        return withHistory || historySince != null;
    }

    /** The moment that is asked about, when it is not the present. */
    Optional<Moment> moment() {
        if (asOf != null && isHistory()) {
            throw new UsageError("--as-of asks for one state and a history for all of them", "leave one of them out");
        }
        return Optional.ofNullable(asOf).map(Moment::parse);
    }

    Query<Row> apply(Session session, Query<Row> query, Output output) {
        Optional<Moment> moment = moment();
        if (moment.isPresent()) {
            return query.asOf(moment.get().commitIn(session, output));
        }
        if (historySince != null) {
            return query.historySince(historySince);
        }
        return withHistory ? query.withHistory() : query;
    }

    /** Warns of rows in the window that the answer does not show, in both formats. */
    static void warnOfOmitted(Query<Row> query, Output output) {
        long omitted = query.omitted();
        if (omitted > 0) {
            output.diagnostic(
                    "warning:",
                    Tone.WEAK,
                    omitted + (omitted == 1 ? " version was" : " versions were")
                            + " written with another schema and left out");
        }
    }
}
