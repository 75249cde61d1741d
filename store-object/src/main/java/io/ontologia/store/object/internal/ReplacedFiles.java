package io.ontologia.store.object.internal;

import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.RowsDigest;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.store.object.internal.layout.ErasureDocument;
import io.ontologia.store.object.internal.layout.Keys;
import io.ontologia.store.object.internal.layout.Manifest;
import io.ontologia.store.object.internal.layout.TypeIndex;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The files that an erasure replaced and that are still there. */
final class ReplacedFiles {
    private final SharedStore shared;
    private final View view;

    ReplacedFiles(SharedStore shared, View view) {
        this.shared = shared;
        this.view = view;
    }

    /** The data files of commits up to the last erasure, and the snapshots that are not read any more; those that are there. */
    List<String> of(TypeRef type) {
        return entries(type).stream().map(TypeIndex.Entry::path).toList();
    }

    private List<TypeIndex.Entry> entries(TypeRef type) {
        Optional<TypeIndex.Entry> base = shared.erasures().base(type, view.registry());
        if (base.isEmpty()) {
            return List.of();
        }
        List<TypeIndex.Entry> replaced = new ArrayList<>();
        Set<String> present = Listing.keys(shared.store(), Keys.COMMITS);
        for (Manifest manifest : shared.chain().back(view.head())) {
            if (manifest.commitId() <= base.get().maxCommitId()) {
                manifest.file(type)
                        .filter(file -> present.contains(file.path()))
                        .ifPresent(file -> replaced.add(FileResolver.entry(manifest, file)));
            }
        }
        Set<String> live = new HashSet<>();
        shared.resolver().files(type, view, 0, view.head().commitId()).forEach(entry -> live.add(entry.path()));
        for (String path : Listing.keys(shared.store(), Keys.snapshots(type))) {
            if (path.endsWith(".parquet") && !live.contains(path)) {
                replaced.add(new TypeIndex.Entry(1, view.head().commitId(), path, Optional.empty()));
            }
        }
        return replaced;
    }

    /** Those that hold an erased row, found by the hashes of their rows; one that cannot be read is among them. */
    List<String> holding(TypeRef type) {
        Set<String> erased = new HashSet<>();
        shared.erasures()
                .of(type, view.registry())
                .map(ErasureDocument::rows)
                .ifPresent(rows -> rows.values().forEach(all -> all.forEach(row -> erased.add(row.sha256()))));
        List<String> holding = new ArrayList<>();
        List<TypeIndex.Entry> all = new ArrayList<>(entries(type));
        all.addAll(shared.resolver().files(type, view, 0, view.head().commitId()));
        for (TypeIndex.Entry entry : all) {
            if (holds(entry, type, erased)) {
                holding.add(entry.path());
            }
        }
        return holding;
    }

    private boolean holds(TypeIndex.Entry entry, TypeRef type, Set<String> erased) {
        try (Stream<StoredRow> rows = shared.answers().rowsOfFile(entry, type)) {
            return rows.anyMatch(row -> erased.contains(RowsDigest.ofRow(row)));
        } catch (OntologiaException e) {
            if (!LocalCopies.isGone(e)) {
                throw e;
            }
            return true;
        } finally {
            if (entry.sha256().isEmpty()) {
                shared.copies().forget(List.of(entry.path()));
            }
        }
    }
}
