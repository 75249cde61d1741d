package io.ontologia.core.internal;

import io.ontologia.core.CommitResult;
import io.ontologia.core.HeadMovedException;
import io.ontologia.core.Identity;
import io.ontologia.core.OntologyType;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.TypeRef;
import io.ontologia.core.Upgraders;
import io.ontologia.core.internal.evolution.Way;
import io.ontologia.core.internal.evolution.Ways;
import io.ontologia.core.spi.CommitRequest;
import io.ontologia.core.spi.DesiredRow;
import io.ontologia.core.spi.PayloadEquality;
import io.ontologia.core.spi.SchemaOutdatedException;
import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.kernel.CanonicalJson;
import io.ontologia.kernel.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Commits of a session that works with an older version of a type than the store has. Each row is brought to the newest version
 * by the steps between; fields that the session does not know keep the values that the row has. Such a commit is made on the
 * commit that those values were read from, and again when another one came in between.
 */
public final class OlderWrites {
    private static final int ATTEMPTS = 100;

    private final Storage storage;
    private final SessionTypes types;
    private final SessionWays ways;
    private final Upgraders upgraders;

    public OlderWrites(Storage storage, SessionTypes types, Upgraders upgraders) {
        this.storage = storage;
        this.types = types;
        this.ways = new SessionWays(storage, types, upgraders);
        this.upgraders = upgraders;
    }

    /**
     * Makes a commit, in the newest version of each type.
     *
     * @throws SchemaOutdatedException when a type has a version that the rows of this session cannot be brought to
     */
    public CommitResult commit(CommitRequest request) {
        for (int attempt = 1; ; attempt++) {
            try {
                return storage.commit(inNewestVersions(request));
            } catch (SchemaOutdatedException e) {
                if (attempt == ATTEMPTS || !refresh(request)) {
                    throw e;
                }
            } catch (HeadMovedException e) {
                if (attempt == ATTEMPTS || request.conditions().head().isPresent()) {
                    throw e;
                }
            }
        }
    }

    /** The request with every row in the newest version of its type, as far as that is known here. */
    public CommitRequest inNewestVersions(CommitRequest request) {
        Set<TypeRef> older = new HashSet<>();
        request.schemaVersions().keySet().stream()
                .filter(type -> ways.knows(type) && !types.isNewest(type))
                .forEach(older::add);
        return older.isEmpty() ? request : translated(request, older);
    }

    /** Whether a type of the request has a newer version now that this session can follow. */
    private boolean refresh(CommitRequest request) {
        boolean changed = false;
        for (TypeRef type : request.schemaVersions().keySet()) {
            changed |= ways.refresh(type);
        }
        return changed;
    }

    private CommitRequest translated(CommitRequest request, Set<TypeRef> older) {
        long head = storage.head();
        Map<TypeRef, Newest> newest = new HashMap<>();
        older.forEach(type -> newest.put(type, newest(type)));
        Map<TypeRef, Map<Identity, StoredRow>> present = present(request, older);
        List<DesiredRow> rows = new ArrayList<>();
        for (DesiredRow row : request.rows()) {
            Newest target = newest.get(row.type());
            rows.add(
                    target == null || row.isRetraction()
                            ? row
                            : target.row(
                                    row,
                                    Optional.ofNullable(present.getOrDefault(row.type(), Map.of())
                                            .get(row.identity()))));
        }
        Map<TypeRef, Long> versions = new HashMap<>(request.schemaVersions());
        newest.forEach((type, target) -> versions.put(type, target.ways.version()));
        PayloadEquality equality = (type, stored, wanted) -> {
            Newest target = newest.get(type);
            return target == null
                    ? request.equality().same(type, stored, wanted)
                    : SessionTypes.samePayload(target.type, stored, wanted);
        };
        return new CommitRequest(
                rows,
                request.metadata(),
                versions,
                request.runtimeId(),
                equality,
                request.outbox(),
                request.conditions().head().isPresent()
                        ? request.conditions()
                        : request.conditions().after(head),
                request.cascading());
    }

    private Newest newest(TypeRef type) {
        List<SchemaVersion> versions = storage.schemaVersions(type);
        long number = types.newest(type);
        SchemaVersion version = versions.stream()
                .filter(one -> one.version() == number)
                .findFirst()
                .orElseThrow(() -> SchemaOutdatedException.sinceOpening(
                        type, types.versions().getOrDefault(type, 0L), storage.schemaVersion(type)));
        OntologyType described = version.describe();
        Ways all = Ways.to(described, number, versions, upgraders);
        long ours = types.versions().getOrDefault(type, 0L);
        Way way = all.from(ours).orElseThrow(() -> SchemaOutdatedException.sinceOpening(type, ours, number));
        return new Newest(described, all, way);
    }

    private Map<TypeRef, Map<Identity, StoredRow>> present(CommitRequest request, Set<TypeRef> older) {
        Map<TypeRef, Set<Identity>> wanted = new HashMap<>();
        for (DesiredRow row : request.rows()) {
            if (older.contains(row.type())) {
                wanted.computeIfAbsent(row.type(), type -> new HashSet<>()).add(row.identity());
            }
        }
        Comparison comparison = new Comparison(storage, request.equality());
        Map<TypeRef, Map<Identity, StoredRow>> present = new HashMap<>();
        wanted.forEach((type, identities) -> present.put(type, comparison.stored(type, identities)));
        return present;
    }

    /** The newest version of a type, and the way to it from the version of the session. */
    private record Newest(OntologyType type, Ways ways, Way way) {
        DesiredRow row(DesiredRow wanted, Optional<StoredRow> present) {
            Optional<Map<String, @Nullable Object>> kept = present.filter(row -> !row.isEnd())
                    .flatMap(row -> row.schemaVersion() == ways.version()
                            ? Optional.of(fields(row.fieldsJson()))
                            : ways.from(row.schemaVersion()).map(from -> from.fields(row)));
            return new DesiredRow(
                    wanted.type(),
                    wanted.identity(),
                    CanonicalJson.write(way.merged(wanted.identity(), fields(wanted.fieldsJson()), kept)));
        }

        private Map<String, @Nullable Object> fields(String json) {
            return JsonObject.parse("the fields of a " + type.ref(), json).fields();
        }
    }
}
