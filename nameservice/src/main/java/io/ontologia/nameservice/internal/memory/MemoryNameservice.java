package io.ontologia.nameservice.internal.memory;

import io.ontologia.kernel.Clock;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.nameservice.Alias;
import io.ontologia.nameservice.Concern;
import io.ontologia.nameservice.ConcernValue;
import io.ontologia.nameservice.CreateOutcome;
import io.ontologia.nameservice.LifecycleOutcome;
import io.ontologia.nameservice.NameNotFoundException;
import io.ontologia.nameservice.NamePage;
import io.ontologia.nameservice.NameQuery;
import io.ontologia.nameservice.NameRecord;
import io.ontologia.nameservice.NameRetractedException;
import io.ontologia.nameservice.Nameservice;
import io.ontologia.nameservice.NewRecord;
import io.ontologia.nameservice.PurgeOutcome;
import io.ontologia.nameservice.PushOutcome;
import io.ontologia.nameservice.Watermarks;
import io.ontologia.nameservice.spi.RecordRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Records in memory, gone when it is closed. One lock: every operation is atomic. */
public final class MemoryNameservice implements Nameservice {
    private final Clock clock;
    private final SortedMap<Alias, NameRecord> records = new TreeMap<>();
    private long creations;
    private boolean closed;

    /** @param clock what creations and retractions are dated with */
    public MemoryNameservice(Clock clock) {
        this.clock = clock;
    }

    @Override
    public String location() {
        return "memory:";
    }

    @Override
    public synchronized CreateOutcome create(NewRecord record) {
        requireOpen();
        NameRecord actual = records.get(record.alias());
        if (actual != null) {
            return new CreateOutcome.Exists(actual);
        }
        NameRecord created = RecordRules.unborn(record, clock.now()).identified(Long.toString(++creations));
        records.put(record.alias(), created);
        return new CreateOutcome.Created(created);
    }

    @Override
    public synchronized Optional<NameRecord> lookup(Alias alias) {
        requireOpen();
        return Optional.ofNullable(records.get(alias));
    }

    @Override
    public Optional<ConcernValue> concern(Alias alias, Concern concern) {
        return lookup(alias).map(record -> record.concern(concern));
    }

    @Override
    public Optional<Watermarks> watermarks(Alias alias) {
        return lookup(alias).map(NameRecord::watermarks);
    }

    @Override
    public synchronized PushOutcome push(Alias alias, Concern concern, ConcernValue expected, ConcernValue next) {
        requireOpen();
        RecordRules.requirePushable(concern, expected, next);
        NameRecord record = require(alias);
        if (record.isRetracted()) {
            throw new NameRetractedException(alias);
        }
        ConcernValue actual = record.concern(concern);
        if (!expected.isStill(actual)) {
            return new PushOutcome.Conflict(actual);
        }
        records.put(alias, record.with(concern, next));
        return new PushOutcome.Updated(next);
    }

    @Override
    public synchronized LifecycleOutcome setDeps(Alias alias, List<String> deps) {
        List<String> wanted = RecordRules.requireDeps(alias, deps);
        NameRecord record = require(alias);
        if (record.isRetracted()) {
            throw new NameRetractedException(alias);
        }
        return record.deps().equals(wanted) ? new LifecycleOutcome.Unchanged(record) : changed(record.withDeps(wanted));
    }

    @Override
    public synchronized LifecycleOutcome retract(Alias alias, String reason) {
        NameRecord record = require(alias);
        return record.isRetracted()
                ? new LifecycleOutcome.Unchanged(record)
                : changed(RecordRules.retracted(record, clock.now(), reason));
    }

    @Override
    public synchronized LifecycleOutcome restore(Alias alias) {
        NameRecord record = require(alias);
        return record.isRetracted() ? changed(RecordRules.restored(record)) : new LifecycleOutcome.Unchanged(record);
    }

    @Override
    public synchronized PurgeOutcome purge(Alias alias) {
        NameRecord record = require(alias);
        if (!record.isRetracted()) {
            return new PurgeOutcome.StillActive(record);
        }
        records.remove(alias);
        return new PurgeOutcome.Purged();
    }

    @Override
    public synchronized NamePage list(NameQuery query) {
        requireOpen();
        List<NameRecord> page = new ArrayList<>();
        Alias after = query.continueAt().map(Alias::parse).orElse(null);
        for (Map.Entry<Alias, NameRecord> entry : (after == null ? records : records.tailMap(after)).entrySet()) {
            if (!entry.getKey().equals(after) && query.matches(entry.getValue())) {
                if (page.size() == query.pageSize()) {
                    String next = page.get(page.size() - 1).alias().toString();
                    return new NamePage(page, List.of(), Optional.of(next));
                }
                page.add(query.show(entry.getValue()));
            }
        }
        return new NamePage(page, List.of(), Optional.empty());
    }

    @Override
    public synchronized void close() {
        closed = true;
        records.clear();
    }

    private LifecycleOutcome changed(NameRecord after) {
        records.put(after.alias(), after);
        return new LifecycleOutcome.Changed(after);
    }

    private NameRecord require(Alias alias) {
        requireOpen();
        NameRecord record = records.get(alias);
        if (record == null) {
            throw new NameNotFoundException(alias);
        }
        return record;
    }

    private void requireOpen() {
        if (closed) {
            throw new OntologiaException(
                    ErrorKind.CLOSED, "cannot use the nameservice memory:", "it was closed", "open it again");
        }
    }
}
