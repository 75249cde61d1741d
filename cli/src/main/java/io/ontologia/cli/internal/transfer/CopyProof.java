package io.ontologia.cli.internal.transfer;

import io.ontologia.cli.internal.CommandFailure;
import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.output.Output;
import io.ontologia.cli.internal.output.Progress;
import io.ontologia.core.CommitInfo;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.TypeRef;
import io.ontologia.core.Window;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Reads two stores from end to end and says whether one is a copy of the other, whatever backends they are on. */
final class CopyProof {
    private final Storage original;
    private final Storage copy;
    private final Output output;

    CopyProof(Storage original, Storage copy, Output output) {
        this.original = original;
        this.copy = copy;
        this.output = output;
    }

    /**
     * Compares everything up to the newest commit of the copy: the original may have moved on.
     *
     * @return how many commits there are
     * @throws CommandFailure with {@link ExitCode#MISMATCH} at the first difference
     */
    long run() {
        long head = copy.head();
        List<SchemaVersion> schemas = copy.schemas();
        try (Progress progress = output.progress("comparing", 1L + schemas.size())) {
            try (Stream<CommitInfo> expected = original.commits(0, OptionalLong.of(head));
                    Stream<CommitInfo> seen = copy.commits(0, OptionalLong.of(head))) {
                requireSame(
                        "the commit log",
                        expected.map(CopyProof::entry).iterator(),
                        seen.map(CopyProof::entry).iterator());
            }
            progress.advance(1);
            for (SchemaVersion schema : schemas) {
                compare(schema.type(), head);
                progress.advance(1);
            }
        }
        if (original.head() == head && !original.schemas().equals(schemas)) {
            throw different("the types");
        }
        return head;
    }

    /** Without the digest, which covers the rows as well, and which only one of the two may have recorded. */
    private static CommitInfo entry(CommitInfo commit) {
        return new CommitInfo(commit.id(), commit.at(), commit.operations(), commit.metadata());
    }

    private void compare(TypeRef type, long head) {
        List<SchemaVersion> seen = copy.schemaVersions(type);
        List<SchemaVersion> expected = original.schemaVersions(type);
        if (expected.size() < seen.size() || !expected.subList(0, seen.size()).equals(seen)) {
            throw different("the schema versions of " + type);
        }
        RowQuery everything = RowQuery.of(type, new Window.History(0));
        try (Stream<StoredRow> before = original.rows(everything).takeWhile(row -> row.commitId() <= head);
                Stream<StoredRow> after = copy.rows(everything)) {
            requireSame("the rows of " + type, before.iterator(), after.iterator());
        }
    }

    private static <T> void requireSame(String what, Iterator<T> expected, Iterator<T> seen) {
        while (expected.hasNext() && seen.hasNext()) {
            if (!expected.next().equals(seen.next())) {
                throw different(what);
            }
        }
        if (expected.hasNext() || seen.hasNext()) {
            throw different(what);
        }
    }

    private static CommandFailure different(String what) {
        return new CommandFailure(
                ExitCode.MISMATCH,
                new OntologiaException(
                        ErrorKind.CORRUPT,
                        "the copy is not the original",
                        "not the same in both: " + what,
                        "run 'onto fsck' on both, remove the copy and try again"));
    }
}
