package io.ontologia.nameservice;

import io.ontologia.kernel.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells subscribers what moves in a nameservice. What is written through {@link #observed()} is told at once; what others write is
 * found by {@link #poller}, which compares watermarks.
 *
 * <p><b>Promise.</b> Every push accepted through {@link #observed()} is told exactly once, and a refused one never. Pushes by others
 * are told by what a poll finds: one event for all that happened to a concern since it was last told of, with the latest value. A push
 * of ours that others overtook before it was told may be covered by the event for theirs. Watermarks of a concern only rise, until the
 * record is purged.
 *
 * <p>Safe for use by many threads.
 */
public final class Subscriptions implements AutoCloseable {
    /** How many news wait for a subscriber at most, unless said otherwise; snapshots come on top. */
    public static final int CAPACITY = 1024;

    private static final Logger LOG = LoggerFactory.getLogger(Subscriptions.class);

    private final Nameservice target;
    private final Nameservice observed;
    private final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();
    private final Map<Alias, EntityType> types = new ConcurrentHashMap<>();

    /** Subscriptions to a nameservice, which stays open when this is closed. */
    public Subscriptions(Nameservice target) {
        this.target = target;
        this.observed = new ObservedNameservice(target, this);
    }

    /** The same nameservice; what is written through it is told at once. Closing it closes the nameservice. */
    public Nameservice observed() {
        return observed;
    }

    /** Subscribes, with a queue of {@value #CAPACITY} news. Reads what is there before it returns. */
    public Subscription subscribe(NameFilter filter) {
        return subscribe(filter, CAPACITY);
    }

    /** As {@link #subscribe(NameFilter)}, with a queue of another length. */
    public Subscription subscribe(NameFilter filter, int capacity) {
        Subscription subscription = new Subscription(this, filter, capacity);
        // First listen, then look: nothing can happen in between.
        subscriptions.add(subscription);
        try {
            fill(subscription);
        } catch (RuntimeException e) {
            subscriptions.remove(subscription);
            throw e;
        }
        return subscription;
    }

    /**
     * What finds the writes of others, to be called by a {@link io.ontologia.kernel.BackgroundRunner} or by hand. A step without
     * subscribers reads nothing; when all subscribers name a record, only those are read, otherwise all are listed. A failure of the
     * nameservice ends the step and leaves the rest to the next one.
     *
     * @param interval what it asks for between two steps
     */
    public Step poller(Duration interval) {
        return () -> {
            try {
                look();
            } catch (RuntimeException e) {
                // A poller that ends leaves every subscriber deaf, and the next step compares with what was last told.
                LOG.atWarn()
                        .addKeyValue("failure", e.getClass().getSimpleName())
                        .log("names not polled, will try again");
            }
            return Optional.of(interval);
        };
    }

    /** Ends all subscriptions. */
    @Override
    public void close() {
        subscriptions.forEach(Subscription::close);
    }

    void fill(Subscription subscription) {
        try {
            subscription.started(read(List.of(subscription)));
        } catch (RuntimeException e) {
            subscription.interrupted();
            throw e;
        }
    }

    void remove(Subscription subscription) {
        subscriptions.remove(subscription);
    }

    void created(NameRecord record) {
        types.put(record.alias(), record.type());
        subscriptions.forEach(subscription -> subscription.saw(record));
    }

    void moved(Alias alias, Concern concern, ConcernValue value) {
        if (subscriptions.isEmpty()) {
            return;
        }
        try {
            EntityType type = types.get(alias);
            if (type == null) {
                type = target.lookup(alias)
                        .orElseThrow(() -> new NameNotFoundException(alias))
                        .type();
                types.put(alias, type);
            }
            for (Subscription subscription : subscriptions) {
                if (!subscription.moved(alias, type, concern, value)) {
                    target.lookup(alias).ifPresent(subscription::saw);
                }
            }
        } catch (RuntimeException e) {
            // The push is done and must not fail; who may have wanted to hear of it starts over.
            subscriptions.forEach(Subscription::interrupted);
        }
    }

    void purged(Alias alias) {
        types.remove(alias);
        subscriptions.forEach(subscription -> subscription.gone(alias));
    }

    private void look() {
        if (subscriptions.isEmpty()) {
            types.clear();
            return;
        }
        List<Subscription> asked = List.copyOf(subscriptions);
        Set<Alias> missing = new HashSet<>();
        asked.forEach(subscription -> missing.addAll(subscription.known()));
        for (NameRecord record : read(asked)) {
            missing.remove(record.alias());
            types.put(record.alias(), record.type());
            for (Subscription subscription : asked) {
                if (!subscription.sawAgain(record)) {
                    target.lookup(record.alias()).ifPresent(subscription::saw);
                }
            }
        }
        for (Alias alias : missing) {
            // A listing may have missed what a lookup finds, for example a record that cannot be read.
            if (target.lookup(alias).isEmpty()) {
                purged(alias);
            }
        }
    }

    private List<NameRecord> read(List<Subscription> asked) {
        List<NameRecord> records = new ArrayList<>();
        if (asked.stream().noneMatch(s -> s.filter().aliases().isEmpty())) {
            asked.stream()
                    .flatMap(s -> s.filter().aliases().stream())
                    .distinct()
                    .forEach(alias -> target.lookup(alias).ifPresent(records::add));
            return records;
        }
        NameQuery query = NameQuery.all();
        Optional<String> next = Optional.empty();
        do {
            NamePage page = target.list(next.map(query::continueAt).orElse(query));
            records.addAll(page.records());
            next = page.next();
        } while (next.isPresent());
        return records;
    }
}
