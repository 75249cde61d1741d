package io.ontologia.cli.internal.transfer;

import io.ontologia.cli.internal.CommandFailure;
import io.ontologia.cli.internal.ExitCode;
import io.ontologia.cli.internal.Invocation;
import io.ontologia.cli.internal.access.ObjectAccess;
import io.ontologia.cli.internal.access.OntologyAccess;
import io.ontologia.cli.internal.access.ShownProgress;
import io.ontologia.cli.internal.access.StoreContent;
import io.ontologia.cli.internal.config.StorageLocation;
import io.ontologia.core.CopyResult;
import io.ontologia.core.EventNamespace;
import io.ontologia.core.EventOptions;
import io.ontologia.core.Maintenance;
import io.ontologia.core.StorageInfo;
import io.ontologia.core.spi.StoreHistory;
import io.ontologia.kernel.ErrorKind;
import io.ontologia.kernel.OntologiaException;
import io.ontologia.objectstore.ObjectStore;
import io.ontologia.objectstore.ObjectSummary;
import io.ontologia.objectstore.Payload;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Copies a store to one on another backend, commit by commit. The target stays empty until everything is there. */
final class HistoryCopy {
    private final Invocation invocation;
    private final StorageLocation source;
    private final StorageLocation target;

    HistoryCopy(Invocation invocation, StorageLocation source, StorageLocation target) {
        this.invocation = invocation;
        this.source = source;
        this.target = target;
    }

    /** What there is to copy. */
    CopyResult plan() {
        try (Maintenance original = new OntologyAccess(invocation, source).inspect();
                StoreHistory history = original.storage().history()) {
            StorageInfo info = original.info(StorageInfo.Detail.ROW_COUNTS);
            return new CopyResult(
                    history.head(),
                    history.head(),
                    history.types().size(),
                    info.rows().values().stream()
                            .mapToLong(StorageInfo.RowCounts::history)
                            .sum(),
                    original.storage().events(EventOptions.defaults()).namespaces().stream()
                            .mapToLong(EventNamespace::events)
                            .sum());
        }
    }

    CopyResult run() {
        // Before anything is created: is there something to copy, and a place for it?
        new OntologyAccess(invocation, source).inspect().close();
        Optional<ObjectAccess> objects = ObjectAccess.of(invocation, target);
        if (objects.isPresent()) {
            prepare(objects.get());
        } else {
            requireEmptyFile();
        }
        try (Maintenance original = new OntologyAccess(invocation, source).inspect();
                Maintenance copy = new OntologyAccess(invocation, target).create();
                ShownProgress progress = new ShownProgress(invocation.output(), "copying")) {
            return original.copyTo(copy, progress);
        } catch (OntologiaException e) {
            throw switch (e.kind()) {
                case CONFLICT -> new CommandFailure(ExitCode.COMMAND_FAILED, e);
                case CORRUPT -> new CommandFailure(ExitCode.MISMATCH, e);
                default -> e;
            };
        }
    }

    /** To open a file for writing may add tables to it: what is not empty should not even be opened. */
    private void requireEmptyFile() {
        OntologyAccess access = new OntologyAccess(invocation, target);
        if (access.exists() && access.isPrepared()) {
            try (Maintenance present = access.inspect();
                    StoreHistory history = present.storage().history()) {
                boolean hasEvents = !present.storage()
                        .events(EventOptions.defaults())
                        .namespaces()
                        .isEmpty();
                if (history.head() > 0 || !history.types().isEmpty() || hasEvents) {
                    throw occupied(
                            target.uri(),
                            "it holds types, commits or events already, of another store or of a copy that was finished");
                }
            }
        }
    }

    private static CommandFailure occupied(String place, String cause) {
        return new CommandFailure(
                ExitCode.COMMAND_FAILED,
                new OntologiaException(
                        ErrorKind.CONFLICT,
                        "cannot copy to " + place,
                        cause,
                        "name an empty place; on an object store 'onto init --force' makes one"));
    }

    /** Only this copy may go on where it was interrupted; anything else refuses a place with such a mark and no head. */
    private void goOn(ObjectStore store) {
        String place;
        try (Maintenance original = new OntologyAccess(invocation, source).inspect()) {
            place = original.storage().location();
        }
        String other = StoreContent.copySource(store).orElse(place);
        if (!other.equals(place)) {
            throw occupied(store.location(), "it holds the beginning of a copy of " + other);
        }
        store.putIfAbsent(
                StoreContent.HEAD,
                Payload.of(StoreContent.emptyHead(invocation.clock().now())));
    }

    private void prepare(ObjectAccess objects) {
        try (ObjectStore store = objects.open()) {
            Set<String> present =
                    StoreContent.of(store).stream().map(ObjectSummary::key).collect(Collectors.toSet());
            if (!present.contains(StoreContent.HEAD) && !present.isEmpty() && !present.contains(StoreContent.RESTORE)) {
                throw occupied(
                        store.location(),
                        "it holds " + present.size()
                                + " objects already, of another store or of a copy that was finished");
            }
            if (!present.contains(StoreContent.HEAD)) {
                objects.probe(store);
                if (present.contains(StoreContent.RESTORE)) {
                    goOn(store);
                }
            }
        }
    }
}
