package io.ontologia.store.object.internal.events;

import io.ontologia.core.Claim;
import io.ontologia.core.Event;
import io.ontologia.core.EventOptions;
import io.ontologia.core.spi.ClaimRequest;
import io.ontologia.kernel.Clock;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.store.object.internal.layout.EventKeys;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls one namespace, for all handlers of this process. Events are immutable and finished claims are final, so both are
 * fetched once; a poll that finds nothing new costs two requests however much is retained: a listing of the newest keys, and
 * by turns a look at the outbox and a page of the older keys. Safe for use by many threads, one polls at a time.
 */
final class NamespacePoll {
    private static final Logger LOG = LoggerFactory.getLogger(NamespacePoll.class);

    /** How many looks at somebody else's claim there are in the time that it lasts: it may be handed back early. */
    private static final int LOOKS_PER_LEASE = 4;

    private final String namespace;
    private final EventObjects objects;
    private final ClaimObjects claims;
    private final Burials burials;
    private final Runnable outbox;
    private final Clock clock;
    private final AtomicBoolean spared = new AtomicBoolean();
    private final Map<String, Set<KnownEvents.Known>> openByHandler = new HashMap<>();
    private KnownEvents events;
    private boolean isFirst = true;
    private boolean wasSpared;
    private boolean sweepsNext;

    NamespacePoll(
            String namespace,
            EventObjects objects,
            ClaimObjects claims,
            Burials burials,
            Runnable outbox,
            Clock clock) {
        this.namespace = namespace;
        this.objects = objects;
        this.claims = claims;
        this.burials = burials;
        this.outbox = outbox;
        this.clock = clock;
        this.events = new KnownEvents(objects, namespace);
    }

    /** Lets the next poll do without what can wait, because another request was made in its stead. */
    void spareNext() {
        spared.set(true);
    }

    /** Forgets everything, after events were removed. */
    synchronized void forget() {
        events = new KnownEvents(objects, namespace);
        openByHandler.clear();
        claims.forget(namespace);
        isFirst = true;
    }

    /** Claims what a request asks for. When that fails halfway, what was claimed is returned: nobody else can handle it. */
    synchronized List<Claim> claim(ClaimRequest request, EventOptions options) {
        refresh();
        meet(request);
        List<Claim> result = new ArrayList<>();
        try {
            for (ClaimRequest.Subscription wanted : request.subscriptions()) {
                claim(request.sessionId(), wanted, options, result);
            }
        } catch (RuntimeException e) {
            if (result.isEmpty()) {
                throw e;
            }
            LOG.atWarn()
                    .setCause(e)
                    .addKeyValue("namespace", namespace)
                    .addKeyValue("claimed", result.size())
                    .log("not all events were claimed");
        }
        return result;
    }

    private void refresh() {
        // Never two in a row, so that neither the outbox nor the older keys can be put off forever.
        wasSpared = spared.getAndSet(false) && !wasSpared && !isFirst;
        if (!wasSpared) {
            if (sweepsNext && events.needsSweeping()) {
                events.sweep(this::appeared, this::vanished);
                sweepsNext = false;
            } else {
                outbox.run();
                sweepsNext = true;
            }
        }
        isFirst = false;
        events.listNewest(this::appeared, this::vanished);
    }

    private ClaimObjects.Name name(KnownEvents.Known known, String handlerId) {
        return new ClaimObjects.Name(namespace, known.id, handlerId);
    }

    private void appeared(KnownEvents.Known known) {
        openByHandler.forEach((handler, open) -> {
            if (!claims.isFinished(name(known, handler))) {
                open.add(known);
            }
        });
    }

    private void vanished(KnownEvents.Known known) {
        openByHandler.forEach((handler, open) -> {
            open.remove(known);
            claims.forget(name(known, handler));
        });
    }

    /** Finds out how far handlers are that are seen for the first time: one look at each claim that they have made. */
    private void meet(ClaimRequest request) {
        Set<String> strangers = new HashSet<>();
        for (ClaimRequest.Subscription wanted : request.subscriptions()) {
            if (!openByHandler.containsKey(wanted.handlerId())) {
                strangers.add(wanted.handlerId());
            }
        }
        if (strangers.isEmpty()) {
            return;
        }
        if (!events.all().isEmpty()) {
            List<ClaimObjects.Name> made = objects.keys(EventKeys.of(EventKeys.CLAIMS, namespace)).stream()
                    .flatMap(key -> EventKeys.claimName(key).stream())
                    .filter(name -> strangers.contains(name.handlerId()))
                    .map(name -> new ClaimObjects.Name(namespace, name.eventId(), name.handlerId()))
                    .filter(name -> !claims.isFinished(name))
                    .toList();
            objects.all(made, claims::lookIfReadable);
        }
        for (String handler : strangers) {
            Set<KnownEvents.Known> open = new LinkedHashSet<>();
            for (KnownEvents.Known known : events.all()) {
                if (!claims.isFinished(name(known, handler))) {
                    open.add(known);
                }
            }
            openByHandler.put(handler, open);
        }
    }

    /** @param result gets what was claimed, also when this throws */
    private void claim(String sessionId, ClaimRequest.Subscription wanted, EventOptions options, List<Claim> result) {
        Set<KnownEvents.Known> open = Objects.requireNonNull(openByHandler.get(wanted.handlerId()));
        letGo(wanted.handlerId(), open);
        events.load(List.copyOf(open), wanted.eventTypes(), this::vanished);
        lookAgain(wanted, open, options.claimLease());
        List<Event> claimable = claimable(wanted, open);
        List<Claim> taken = new ArrayList<>();
        Optional<RuntimeException> failure = Optional.empty();
        int next = 0;
        while (failure.isEmpty() && taken.size() < wanted.limit() && next < claimable.size()) {
            int end = Math.min(claimable.size(), next + wanted.limit() - taken.size());
            List<Attempt> attempts = objects.all(
                    claimable.subList(next, end), event -> attempt(event, wanted.handlerId(), sessionId, options));
            for (Attempt attempt : attempts) {
                attempt.claim().ifPresent(taken::add);
                failure = failure.or(attempt::failure);
            }
            next = end;
        }
        taken.sort(Comparator.comparing(Claim::event, Event.ORDER));
        result.addAll(taken);
        if (failure.isPresent()) {
            throw failure.get();
        }
    }

    /** What came of trying to claim an event: neither where somebody else was faster, or it has to be left out. */
    private record Attempt(Optional<Claim> claim, Optional<RuntimeException> failure) {}

    private Attempt attempt(Event event, String handlerId, String sessionId, EventOptions options) {
        ClaimObjects.Name name = new ClaimObjects.Name(namespace, event.id(), handlerId);
        try {
            return new Attempt(take(event, name, sessionId, options), Optional.empty());
        } catch (RuntimeException e) {
            if (e instanceof OntologiaException unreadable && Unreadable.is(unreadable)) {
                claims.leaveOut(name, unreadable);
                return new Attempt(Optional.empty(), Optional.empty());
            }
            return new Attempt(Optional.empty(), Optional.of(e));
        }
    }

    private void letGo(String handlerId, Set<KnownEvents.Known> open) {
        List<KnownEvents.Known> done = open.stream()
                .filter(known -> claims.isFinished(name(known, handlerId)))
                .toList();
        for (KnownEvents.Known known : done) {
            open.remove(known);
            if (openByHandler.values().stream().noneMatch(others -> others.contains(known))) {
                known.event = null;
            }
        }
    }

    private void lookAgain(ClaimRequest.Subscription wanted, Set<KnownEvents.Known> open, Duration lease) {
        Instant now = clock.now();
        Instant stale = now.minus(lease.dividedBy(LOOKS_PER_LEASE));
        List<ClaimObjects.Name> names = open.stream()
                .filter(known -> known.event != null && wanted.eventTypes().contains(known.event.type()))
                .map(known -> name(known, wanted.handlerId()))
                .filter(name -> claims.known(name)
                        .filter(held ->
                                !held.isOurs() && held.state().leaseUntil().isAfter(now))
                        .map(ClaimObjects.Held::seenAt)
                        .or(() -> claims.unreadableAt(name))
                        .filter(seenAt -> !seenAt.isAfter(stale))
                        .isPresent())
                .toList();
        objects.all(names, claims::lookIfReadable);
        letGo(wanted.handlerId(), open);
    }

    private List<Event> claimable(ClaimRequest.Subscription wanted, Set<KnownEvents.Known> open) {
        Instant now = clock.now();
        return open.stream()
                .filter(known -> isClaimable(name(known, wanted.handlerId()), now))
                .flatMap(known -> Optional.ofNullable(known.event).stream())
                .filter(event -> wanted.eventTypes().contains(event.type()))
                .sorted(Event.ORDER)
                .toList();
    }

    private boolean isClaimable(ClaimObjects.Name name, Instant now) {
        return claims.unreadableAt(name).isEmpty()
                && claims.known(name).map(held -> held.state().isClaimable(now)).orElse(true);
    }

    private Optional<Claim> take(Event event, ClaimObjects.Name name, String sessionId, EventOptions options) {
        Optional<ClaimObjects.Held> seen = claims.known(name);
        Optional<ClaimObjects.Held> taken = claims.take(name, seen.orElse(null), sessionId, options.claimLease());
        if (taken.isEmpty()) {
            // Another process had it without our knowledge, or changed its claim since, and may have given it back.
            Optional<ClaimObjects.Held> there = claims.known(name)
                    .filter(held -> held.state().isClaimable(clock.now()))
                    .filter(held -> !seen.map(ClaimObjects.Held::etag).equals(Optional.of(held.etag())));
            taken = there.flatMap(held -> claims.take(name, held, sessionId, options.claimLease()));
        }
        if (taken.isPresent() && taken.get().claim().failedAt().isPresent()) {
            burials.bury(event, name, taken.get(), options);
            return Optional.empty();
        }
        return taken.map(held -> new Claim(
                event,
                name.handlerId(),
                sessionId,
                held.state().claimedAt(),
                held.state().leaseUntil(),
                held.state().attempts()));
    }
}
