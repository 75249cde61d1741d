package io.ontologia.naming.internal;

import io.ontologia.core.Change;
import io.ontologia.core.CommitInfo;
import io.ontologia.core.CommitResult;
import io.ontologia.core.EventOptions;
import io.ontologia.core.Explanation;
import io.ontologia.core.Finding;
import io.ontologia.core.Identity;
import io.ontologia.core.OntologyType;
import io.ontologia.core.Progress;
import io.ontologia.core.SchemaVersion;
import io.ontologia.core.StorageInfo;
import io.ontologia.core.TypeRef;
import io.ontologia.core.spi.AggregateQuery;
import io.ontologia.core.spi.CommitRequest;
import io.ontologia.core.spi.Eraser;
import io.ontologia.core.spi.EventStore;
import io.ontologia.core.spi.HistoryWriter;
import io.ontologia.core.spi.Locks;
import io.ontologia.core.spi.LogQuery;
import io.ontologia.core.spi.Restructured;
import io.ontologia.core.spi.Restructuring;
import io.ontologia.core.spi.RowQuery;
import io.ontologia.core.spi.Storage;
import io.ontologia.core.spi.StoreHistory;
import io.ontologia.core.spi.StoredRow;
import io.ontologia.core.spi.Upkeep;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A store that hands everything on to another one. */
abstract class ForwardingStorage implements Storage {
    private final Storage target;

    ForwardingStorage(Storage target) {
        this.target = target;
    }

    @Override
    public String backend() {
        return target.backend();
    }

    @Override
    public String location() {
        return target.location();
    }

    @Override
    public long head() {
        return target.head();
    }

    @Override
    public List<SchemaVersion> schemas() {
        return target.schemas();
    }

    @Override
    public List<SchemaVersion> schemaVersions(TypeRef type) {
        return target.schemaVersions(type);
    }

    @Override
    public long rowsOfOtherVersions(TypeRef type, long version) {
        return target.rowsOfOtherVersions(type, version);
    }

    @Override
    public long versionAlerts() {
        return target.versionAlerts();
    }

    @Override
    public long schemaVersion(TypeRef type) {
        return target.schemaVersion(type);
    }

    @Override
    public List<TypeRef> register(Collection<? extends OntologyType> types, String runtimeId) {
        return target.register(types, runtimeId);
    }

    @Override
    public CommitResult commit(CommitRequest request) {
        return target.commit(request);
    }

    @Override
    public List<Change> preview(CommitRequest request) {
        return target.preview(request);
    }

    @Override
    public Locks locks() {
        return target.locks();
    }

    @Override
    public Restructured restructure(Restructuring request) {
        return target.restructure(request);
    }

    @Override
    public Eraser eraser() {
        return target.eraser();
    }

    @Override
    public Stream<CommitInfo> commits(long after, OptionalLong upTo) {
        return target.commits(after, upTo);
    }

    @Override
    public Stream<CommitInfo> commits(LogQuery query) {
        return target.commits(query);
    }

    @Override
    public Optional<CommitInfo> commit(long id) {
        return target.commit(id);
    }

    @Override
    public long commitAt(Instant moment) {
        return target.commitAt(moment);
    }

    @Override
    public Optional<Duration> clockAhead() {
        return target.clockAhead();
    }

    @Override
    public Stream<Change> changes(long commitId) {
        return target.changes(commitId);
    }

    @Override
    public Stream<StoredRow> rows(RowQuery query) {
        return target.rows(query);
    }

    @Override
    public Stream<Identity> identities(RowQuery query) {
        return target.identities(query);
    }

    @Override
    public Explanation explain(RowQuery query) {
        return target.explain(query);
    }

    @Override
    public long count(RowQuery query) {
        return target.count(query);
    }

    @Override
    public List<Map<String, @Nullable Object>> aggregate(AggregateQuery query) {
        return target.aggregate(query);
    }

    @Override
    public List<Finding> check(Progress progress) {
        return target.check(progress);
    }

    @Override
    public long recordDigests(String runtimeId, Progress progress) {
        return target.recordDigests(runtimeId, progress);
    }

    @Override
    public StorageInfo info(StorageInfo.Detail detail) {
        return target.info(detail);
    }

    @Override
    public EventStore events(EventOptions options) {
        return target.events(options);
    }

    @Override
    public Optional<Upkeep> upkeep() {
        return target.upkeep();
    }

    @Override
    public StoreHistory history() {
        return target.history();
    }

    @Override
    public HistoryWriter restore(String source, String runtimeId) {
        return target.restore(source, runtimeId);
    }

    @Override
    public void close() {
        target.close();
    }
}
