package io.ontologia.store.object.internal;

import io.ontologia.core.TypeRef;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.store.object.internal.engine.DataFile;
import io.ontologia.store.object.internal.layout.TypeIndex;
import java.util.ArrayList;
import java.util.List;

/** Compares the rows of a snapshot with those of the files that commits wrote. */
final class SnapshotContent {
    private final SharedStore shared;
    private final TypeRef type;

    SnapshotContent(SharedStore shared, TypeRef type) {
        this.shared = shared;
        this.type = type;
    }

    /**
     * The files of commits whose rows the snapshot does not have, or has otherwise. Files that are gone are left out: the
     * snapshot is all that is left of them.
     *
     * @param own the files of commits in the range of the snapshot
     */
    List<TypeIndex.Entry> differences(TypeIndex.Entry snapshot, List<TypeIndex.Entry> own) {
        List<TypeIndex.Entry> present = own.stream().filter(this::isThere).toList();
        if (present.isEmpty()) {
            return List.of();
        }
        try (LocalCopies.Opened merged = shared.copies().open(List.of(snapshot));
                LocalCopies.Opened originals = shared.copies().open(present)) {
            DataFile all = merged.files().get(0);
            if (present.size() == own.size()
                    && shared.engine()
                            .checksum(type, originals.files())
                            .equals(shared.engine().checksum(type, merged.files()))) {
                return List.of();
            }
            List<TypeIndex.Entry> different = new ArrayList<>();
            for (int i = 0; i < present.size(); i++) {
                long commit = present.get(i).minCommitId();
                if (!shared.engine()
                        .checksum(type, List.of(originals.files().get(i)))
                        .equals(shared.engine().checksum(type, List.of(all.part(commit, commit))))) {
                    different.add(present.get(i));
                }
            }
            // Rows of commits that this history does not have are found in the sum alone.
            return different.isEmpty() && present.size() == own.size() ? own : different;
        }
    }

    private boolean isThere(TypeIndex.Entry file) {
        try {
            shared.copies().open(List.of(file)).close();
            return true;
        } catch (OntologiaException e) {
            if (!LocalCopies.isGone(e)) {
                throw e;
            }
            return false;
        }
    }
}
