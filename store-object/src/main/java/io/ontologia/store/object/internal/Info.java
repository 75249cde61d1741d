package io.ontologia.store.object.internal;

import io.ontologia.core.LockDamage;
import io.ontologia.core.StorageInfo;
import io.ontologia.core.StorageInfo.RowCounts;
import io.ontologia.core.TypeRef;
import io.ontologia.core.Window;
import io.ontologia.core.spi.Locks;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.objectstore.ListPage;
import io.ontologia.objectstore.ListRequest;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.store.object.internal.layout.Keys;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Finds out what a store is and how much is in it. */
final class Info {
    private final SharedStore shared;
    private final Locks locks;
    private final String backend;

    Info(SharedStore shared, Locks locks, String backend) {
        this.shared = shared;
        this.locks = locks;
        this.backend = backend;
    }

    StorageInfo read(StorageInfo.Detail detail) {
        View view = shared.views().fresh();
        Optional<LockDamage> damage = locks.damage();
        boolean all = detail == StorageInfo.Detail.ROW_COUNTS;
        return new StorageInfo(
                backend,
                shared.store().location(),
                shared.engine().version(),
                view.head().commitId(),
                all ? sizes() : Map.of(),
                all ? rows(view) : Map.of(),
                damage.isPresent() ? Optional.empty() : locks.holder(),
                damage,
                shared.resolver().lastWarning());
    }

    private Map<String, Long> sizes() {
        Map<String, Long> sizes = new LinkedHashMap<>();
        for (String group : List.of("meta/", Keys.COMMITS, Keys.SNAPSHOTS)) {
            long bytes = 0;
            ListRequest request = ListRequest.of(group);
            while (true) {
                ListPage page = shared.store().list(request);
                bytes += page.objects().stream().mapToLong(ObjectSummary::size).sum();
                if (page.next().isEmpty()) {
                    break;
                }
                request = request.continueAt(page.next().get());
            }
            sizes.put(group.substring(0, group.length() - 1), bytes);
        }
        return sizes;
    }

    private Map<TypeRef, RowCounts> rows(View view) {
        Map<TypeRef, RowCounts> counts = new TreeMap<>(Changes.BY_KIND_AND_NAME);
        for (TypeRef type : view.registry().types().keySet()) {
            counts.put(
                    type,
                    new RowCounts(
                            shared.answers().count(RowQuery.of(type, new Window.Latest()), view),
                            shared.answers().count(RowQuery.of(type, new Window.History(0)), view)));
        }
        return counts;
    }
}
