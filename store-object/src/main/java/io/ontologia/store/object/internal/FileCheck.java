package io.ontologia.store.object.internal;

import io.ontologia.core.Finding.Severity;
import io.ontologia.core.Identity;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.JsonObject;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.Sha256;
import io.ontologia.objectstore.ByteRange;
import io.ontologia.objectstore.GetOptions;
import io.ontologia.objectstore.GetOutcome;
import io.ontologia.store.object.internal.layout.Keys;
import io.ontologia.store.object.internal.layout.Manifest;
import io.ontologia.store.object.internal.layout.TypeIndex;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Reads data files row by row and compares them with what is said about them. */
final class FileCheck {
    private final SharedStore shared;
    private final View view;
    private final Check.Findings findings;

    FileCheck(SharedStore shared, View view, Check.Findings findings) {
        this.shared = shared;
        this.view = view;
        this.findings = findings;
    }

    /** Checks the file of one commit. */
    void checkCommit(Manifest manifest, Manifest.File file) {
        checkCounts(file.type(), FileResolver.entry(manifest, file), List.of(manifest));
    }

    /**
     * Checks a file with the rows of several commits.
     *
     * @param commits all that are known
     */
    void checkSnapshot(TypeRef type, TypeIndex.Entry entry, List<Manifest> commits) {
        // The rows of a file that an erasure made are compared with the digests of their commits.
        boolean isBase = shared.erasures()
                .base(type, view.registry())
                .filter(entry::equals)
                .isPresent();
        if (checkCounts(type, entry, commits) && !isBase) {
            List<TypeIndex.Entry> own = commits.stream()
                    .filter(commit -> entry.covers(commit.commitId()))
                    .flatMap(commit -> commit.file(type).map(file -> FileResolver.entry(commit, file)).stream())
                    .toList();
            new SnapshotContent(shared, type)
                    .differences(entry, own)
                    .forEach(different -> findings.add(
                            "snapshot-content",
                            Severity.ERROR,
                            "a snapshot does not have the rows of a commit that it replaces: keep the commit's own file, "
                                    + "remove the snapshot and its descriptor, and run 'onto index repair --apply'",
                            entry.path() + " commit " + different.minCommitId()));
        }
    }

    /** Whether a file can be read and has as many rows of each commit as the commits say. */
    private boolean checkCounts(TypeRef type, TypeIndex.Entry entry, List<Manifest> commits) {
        Optional<Map<Long, Long>> rows = check(type, entry);
        long wrong = rows.isEmpty()
                ? 1
                : commits.stream()
                        .filter(commit -> entry.covers(commit.commitId()))
                        .filter(commit -> !rows.get()
                                .getOrDefault(commit.commitId(), 0L)
                                .equals(commit.file(type)
                                        .map(file -> shared.erasures().rowCount(commit, file, view.registry()))
                                        .orElse(0L)))
                        .peek(commit -> findings.add(
                                "row-count",
                                Severity.ERROR,
                                "a data file does not have as many rows as its commit says",
                                entry.path()))
                        .count();
        return wrong == 0;
    }

    /** Checks one file, and says how many rows it has of which commit; empty when it cannot be read. */
    private Optional<Map<Long, Long>> check(TypeRef type, TypeIndex.Entry entry) {
        try {
            try (LocalCopies.Opened opened = shared.copies().open(List.of(entry))) {
                if (entry.sha256().isPresent()
                        && !Sha256.hex(opened.files().get(0).path())
                                .equals(entry.sha256().get())) {
                    findings.add(
                            "content-hash",
                            Severity.ERROR,
                            "a data file is not the one that was written: restore it from a backup",
                            entry.path());
                    return Optional.empty();
                }
            }
            return Optional.of(checkRows(type, entry));
        } catch (OntologiaException e) {
            if (e.kind() != ErrorKind.CORRUPT && e.kind() != ErrorKind.NOT_FOUND) {
                throw e;
            }
            findings.add(
                    e.kind() == ErrorKind.NOT_FOUND || isMissing(entry.path()) ? "missing-file" : "content-hash",
                    Severity.ERROR,
                    "a data file is gone or is not the one that was written: restore it from a backup",
                    entry.path());
            return Optional.empty();
        }
    }

    private boolean isMissing(String path) {
        // An empty object has no first byte; it is there.
        try {
            return shared.store().get(path, GetOptions.whole().range(ByteRange.of(0, 1))) instanceof GetOutcome.Missing;
        } catch (OntologiaException e) {
            if (e.kind() == ErrorKind.INVALID_INPUT) {
                return false;
            }
            throw e;
        }
    }

    private Map<Long, Long> checkRows(TypeRef type, TypeIndex.Entry entry) {
        Map<Long, Long> counts = new HashMap<>();
        long commit = 0;
        long newest = view.registry().versions().getOrDefault(type, 0L);
        Set<Identity> ofCommit = new HashSet<>();
        try (Stream<StoredRow> rows = shared.answers().rowsOfFile(entry, type)) {
            for (StoredRow row : (Iterable<StoredRow>) rows::iterator) {
                counts.merge(row.commitId(), 1L, Long::sum);
                if (row.commitId() != commit) {
                    commit = row.commitId();
                    ofCommit.clear();
                }
                if (!ofCommit.add(row.identity())) {
                    findings.add(
                            "duplicate-version",
                            Severity.ERROR,
                            "a commit holds two versions of one row, and which one counts is a matter of chance",
                            type + " '" + row.identity() + "' commit " + row.commitId());
                }
                if (!entry.covers(row.commitId())) {
                    findings.add(
                            "foreign-commit",
                            Severity.ERROR,
                            "a data file holds rows of another commit than it is for",
                            entry.path() + " commit " + row.commitId());
                }
                if (newest > 0 && row.schemaVersion() > newest) {
                    findings.add(
                            "unknown-schema-version",
                            Severity.ERROR,
                            "rows carry a schema version that their type never had, and no query finds them",
                            type + " '" + row.identity() + "'");
                }
                checkFields(type, row);
            }
        }
        return counts;
    }

    private void checkFields(TypeRef type, StoredRow row) {
        if (row.isEnd()) {
            if (!view.registry().hasRetractions()) {
                findings.add(
                        "undeclared-retraction",
                        Severity.ERROR,
                        "rows ended, and the store does not declare that its rows can end: add \"retractions\" to \"features\" in "
                                + Keys.REGISTRY,
                        type + " '" + row.identity() + "' commit " + row.commitId());
            }
            return;
        }
        try {
            JsonObject.parse("fields", row.fieldsJson());
        } catch (OntologiaException e) {
            findings.add(
                    "invalid-fields",
                    Severity.ERROR,
                    "the fields of rows are not a JSON object",
                    type + " '" + row.identity() + "' commit " + row.commitId());
        }
    }
}
