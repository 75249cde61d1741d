package io.ontologia.store.object.internal;

import io.ontologia.core.OntologyType;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.SchemaOutdatedException;
import io.ontologia.core.spi.SchemaText;
import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.kernel.RandomIds;
import io.ontologia.objectstore.ETag;
import io.ontologia.objectstore.GetOptions;
import io.ontologia.objectstore.GetOutcome;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.Payload;
import io.ontologia.objectstore.PutOutcome;
import io.ontologia.objectstore.StoredObject;
import io.ontologia.store.object.internal.layout.Head;
import io.ontologia.store.object.internal.layout.Keys;
import io.ontologia.store.object.internal.layout.Registry;
import io.ontologia.store.object.internal.layout.SchemaDocument;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The schemas of a store: the registry, which is swapped as a whole, and the versions of each type behind it. */
final class Catalog {
    private static final int TRIES = 5;

    private final ObjectStore store;
    private final Chain chain;
    private final Clock clock;
    private final RandomGenerator random;
    private final TypeNames names;
    private @Nullable Seen seen;

    /** Reads are numbered as they begin. What one finds counts for less than what a later one found. */
    private long begun;

    /** Reads up to this one began before somebody wanted to have it read anew. */
    private long forgotten;

    private record Seen(Registry registry, Optional<ETag> etag, long number) {}

    Catalog(ObjectStore store, Chain chain, Clock clock, RandomGenerator random) {
        this.store = store;
        this.chain = chain;
        this.clock = clock;
        this.random = random;
        this.names = new TypeNames(store, clock, random);
    }

    /** The names of the types, for other implementations. */
    TypeNames names() {
        return names;
    }

    /** The registry as of a head, asking the store whether it changed. */
    Registry refreshed(Head head) {
        return resolve(read().registry(), head);
    }

    /** Reads the registry in good time. */
    void preload() {
        read();
    }

    /** The registry as of a head, as it was last read. */
    Registry asOf(Head head) {
        Seen last = seen();
        return last == null ? refreshed(head) : resolve(last.registry(), head);
    }

    private synchronized @Nullable Seen seen() {
        return seen;
    }

    /** Asks the store the next time. */
    synchronized void forget() {
        seen = null;
        forgotten = begun;
    }

    private synchronized long begin() {
        return ++begun;
    }

    private synchronized Seen keep(Seen now) {
        if (now.number() > forgotten && (seen == null || seen.number() < now.number())) {
            seen = now;
        }
        return now;
    }

    private Seen read() {
        Seen before = seen();
        long number = begin();
        GetOptions options = before == null || before.etag().isEmpty()
                ? GetOptions.whole()
                : GetOptions.whole().ifNoneMatch(before.etag().get());
        GetOutcome outcome = store.get(Keys.REGISTRY, options);
        if (outcome instanceof GetOutcome.NotModified && before != null) {
            return keep(new Seen(before.registry(), before.etag(), number));
        }
        return keep(
                outcome instanceof GetOutcome.Found found
                        ? new Seen(
                                confirmed(found.object().bytes()),
                                Optional.of(found.object().etag()),
                                number)
                        : new Seen(Registry.empty(), Optional.empty(), number));
    }

    /** Finds out what another writer does not note in the registry: version numbers, and rows that are gone. */
    private Registry confirmed(byte[] document) {
        Registry registry = Registry.parse(document);
        Registry confirmed = registry;
        if (!registry.isOurs()) {
            Map<TypeRef, Long> dropped = store.get(Keys.DROPPED)
                    .map(object -> Registry.parseDropped(object.bytes()))
                    .orElse(Map.of());
            for (Map.Entry<TypeRef, Long> type : dropped.entrySet()) {
                confirmed = confirmed.purged(type.getKey(), type.getValue());
                if (!registry.types().containsKey(type.getKey())) {
                    List<SchemaVersion> stored = versions(type.getKey());
                    confirmed = confirmed.without(
                            type.getKey(),
                            stored.isEmpty() ? 1 : stored.get(stored.size() - 1).version());
                }
            }
        }
        for (TypeRef type : registry.unconfirmed()) {
            SchemaVersion current = Objects.requireNonNull(registry.types().get(type));
            List<SchemaVersion> stored = versions(type);
            confirmed = confirmed.with(stored.stream()
                    .filter(version -> version.schemaHash().equals(current.schemaHash()))
                    .reduce((first, second) -> second)
                    .orElse(stored.isEmpty() ? current : stored.get(stored.size() - 1)));
        }
        return confirmed;
    }

    /** What waited for a commit is in force when that commit is one of the head's. */
    private Registry resolve(Registry registry, Head head) {
        if (registry.pending().isEmpty()) {
            return registry;
        }
        Registry.Pending pending = registry.pending().get();
        boolean inForce = head.commitId() >= pending.commitId()
                && chain.find(head, pending.commitId())
                        .filter(manifest -> manifest.path().equals(pending.manifestPath()))
                        .isPresent();
        return inForce ? pending.after() : registry.settled();
    }

    /** Every version of a type's schema that was written down, oldest first; also of one that never came into force. */
    List<SchemaVersion> versions(TypeRef type) {
        return store.get(Keys.versions(type))
                .map(object -> SchemaDocument.parse(type, object.bytes()))
                .orElse(List.of());
    }

    /** Every version of a type's schema that was in force at a view, oldest first. */
    List<SchemaVersion> versions(TypeRef type, Registry registry) {
        List<SchemaVersion> stored = versions(type).stream()
                .filter(version -> wasInForce(version, registry))
                .toList();
        return stored.isEmpty() && registry.types().containsKey(type)
                ? List.of(registry.types().get(type))
                : stored;
    }

    /** Of several that were proposed under the newest number, the registry names the one that came into force. */
    private static boolean wasInForce(SchemaVersion version, Registry registry) {
        long last = lastVersion(version.type(), registry);
        SchemaVersion current = registry.types().get(version.type());
        return version.version() < last
                || (version.version() == last
                        && (current == null
                                || (current.schemaHash().equals(version.schemaHash())
                                        && (current.upgrade().isEmpty()
                                                || current.upgrade().equals(version.upgrade())))));
    }

    private static long lastVersion(TypeRef type, Registry registry) {
        SchemaVersion current = registry.types().get(type);
        return current != null ? current.version() : registry.retired().getOrDefault(type, 0L);
    }

    /**
     * Writes down the next version of a type's schema. It is not in force before the registry says so. What others proposed
     * under the same number is left beside it, for theirs may be the one that comes into force; who proposes the number after
     * it removes what did not.
     *
     * @throws SchemaOutdatedException when the type has a newer version than the registry knows of
     */
    SchemaVersion propose(
            OntologyType type, Registry registry, String runtimeId, String reason, Optional<String> upgrade) {
        for (int i = 0; i < TRIES; i++) {
            Optional<StoredObject> stored = store.get(Keys.versions(type.ref()));
            List<SchemaVersion> known = stored.map(object -> SchemaDocument.parse(type.ref(), object.bytes()))
                    .orElse(List.of());
            long last = lastVersion(type.ref(), registry);
            if (known.stream().anyMatch(version -> version.version() > last)) {
                requireNewest(type.ref(), last);
            }
            SchemaVersion next = new SchemaVersion(
                    type.ref(),
                    last + 1,
                    SchemaText.of(type),
                    type.schemaHash(),
                    clock.now().truncatedTo(ChronoUnit.MICROS),
                    Optional.of(runtimeId),
                    Optional.of(reason),
                    upgrade);
            List<SchemaVersion> kept = new ArrayList<>(known.stream()
                    .filter(version -> wasInForce(version, registry) || isRival(version, next))
                    .toList());
            kept.add(next);
            if (swap(
                    Keys.versions(type.ref()),
                    SchemaDocument.bytes(type.ref(), kept, attempt()),
                    stored.map(StoredObject::etag))) {
                return next;
            }
        }
        throw busy(Keys.versions(type.ref()));
    }

    /** Removes what was proposed for a type and did not come into force, while the registry still tells which did. */
    void tidy(TypeRef type, Registry registry) {
        for (int i = 0; i < TRIES; i++) {
            Optional<StoredObject> stored = store.get(Keys.versions(type));
            List<SchemaVersion> known = stored.map(object -> SchemaDocument.parse(type, object.bytes()))
                    .orElse(List.of());
            List<SchemaVersion> kept = known.stream()
                    .filter(version -> wasInForce(version, registry))
                    .toList();
            if (kept.equals(known)
                    || swap(
                            Keys.versions(type),
                            SchemaDocument.bytes(type, kept, attempt()),
                            stored.map(StoredObject::etag))) {
                return;
            }
        }
        throw busy(Keys.versions(type));
    }

    private static boolean isRival(SchemaVersion version, SchemaVersion ours) {
        return version.version() == ours.version()
                && !(version.schemaHash().equals(ours.schemaHash())
                        && version.upgrade().equals(ours.upgrade()));
    }

    /** Reads what is in force now: the caller may have been away for long. */
    private void requireNewest(TypeRef type, long last) {
        Registry now = store.get(Keys.HEAD)
                .map(object -> refreshed(Head.parse(object.bytes())))
                .orElseThrow(() -> busy(Keys.HEAD));
        if (lastVersion(type, now) != last) {
            throw new SchemaOutdatedException(List.of(type), "somebody else changed it meanwhile");
        }
    }

    /** Writes down all versions of the schema of a type that is not known yet. Not in force before the registry says so. */
    void restore(TypeRef type, List<SchemaVersion> versions) {
        for (int i = 0; i < TRIES; i++) {
            Optional<ETag> before = store.get(Keys.versions(type)).map(StoredObject::etag);
            if (swap(Keys.versions(type), SchemaDocument.bytes(type, versions, attempt()), before)) {
                return;
            }
        }
        throw busy(Keys.versions(type));
    }

    /**
     * Swaps the registry.
     *
     * @param change what to make of the registry in force at the head
     * @return the registry after it
     */
    Registry change(Head head, UnaryOperator<Registry> change) {
        for (int i = 0; i < TRIES; i++) {
            Seen before = read();
            Optional<Registry> inForce = inForce(before.registry(), head);
            if (inForce.isEmpty()) {
                forget();
                continue;
            }
            Registry after = change.apply(inForce.get());
            byte[] bytes = after.bytes(clock.now(), attempt());
            long number = begin();
            Optional<ETag> written = swapped(Keys.REGISTRY, bytes, before.etag());
            if (written.isPresent()) {
                keep(new Seen(after, written, number));
                return after;
            }
            forget();
        }
        throw busy(Keys.REGISTRY);
    }

    /**
     * What is in force for certain. A change that waits for a commit which is not there may belong to somebody who is about to
     * make it: before it is given up, the head is swapped for itself, so that nobody's swap of the old one succeeds any more.
     *
     * @return empty when the head moved meanwhile
     */
    private Optional<Registry> inForce(Registry registry, Head known) {
        if (registry.pending().isEmpty()) {
            return Optional.of(registry);
        }
        Registry resolved = resolve(registry, known);
        if (!resolved.equals(registry.settled())) {
            return Optional.of(resolved);
        }
        Optional<StoredObject> stored = store.get(Keys.HEAD);
        if (stored.isEmpty()) {
            return Optional.of(registry.settled());
        }
        Head now = Head.parse(stored.get().bytes());
        Registry newest = resolve(registry, now);
        if (!newest.equals(registry.settled())) {
            return Optional.of(newest);
        }
        boolean fenced = new HeadFence(store, random).renew(now, stored.get().etag());
        return fenced ? Optional.of(registry.settled()) : Optional.empty();
    }

    /** Gives up, for certain, a change that waits for a commit which was not made. */
    void settle(Head head) {
        if (read().registry().pending().isPresent()) {
            change(head, registry -> registry);
        }
    }

    /** Brings the documents up to date that other implementations read beside the registry. Best effort. */
    void publish(Registry registry, long commitId) {
        names.publish(registry);
        if (!registry.retired().isEmpty() || store.get(Keys.DROPPED).isPresent()) {
            store.put(Keys.DROPPED, Payload.of(registry.droppedDocument(clock.now(), commitId, attempt())));
        }
    }

    private String attempt() {
        return RandomIds.hex(random, 16);
    }

    private boolean swap(String key, byte[] bytes, Optional<ETag> expected) {
        return swapped(key, bytes, expected).isPresent();
    }

    private Optional<ETag> swapped(String key, byte[] bytes, Optional<ETag> expected) {
        Payload payload = Payload.of(bytes);
        PutOutcome outcome =
                expected.isPresent() ? store.putIfMatch(key, payload, expected.get()) : store.putIfAbsent(key, payload);
        return outcome instanceof PutOutcome.Written written ? Optional.of(written.etag()) : Optional.empty();
    }

    private static OntologiaException busy(String key) {
        return new OntologiaException(
                ErrorKind.BUSY, "cannot change '" + key + "'", "somebody else kept changing it", "try again");
    }
}
